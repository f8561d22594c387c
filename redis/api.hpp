// The part of the Redis module interface that is used here, declared from its documentation: a server hands a
// module one function, which finds the others by name. Names are ours; the words in quotes are the server's.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bloomery::redis {

// What the server owns and never shows.
struct InfoContext;
struct DefragContext;
struct Context;
struct Key;
struct String;
struct Type;
struct Command;
struct Io;

constexpr int kOk = 0;
constexpr int kErr = 1;

constexpr int kRead = 1 << 0;   // modes of open_key
constexpr int kWrite = 1 << 1;

constexpr int kNotifyGeneric = 1 << 2;  // a class of keyspace events

constexpr int kKeyEmpty = 0;    // answer of key_type

constexpr int kHandleIoErrors = 1 << 0;          // module options
constexpr int kNoImplicitSignalModified = 1 << 1;

constexpr int kContextReplicated = 1 << 12;      // flags of the context: from a master,
constexpr int kContextLoading = 1 << 13;         // from a file
constexpr int kContextResp3 = 1 << 22;

using CommandFunction = int (*)(Context*, String**, int);
using GetStringConfig = String* (*)(const char* name, void* data);
using SetStringConfig = int (*)(const char* name, String* value, void* data, String** error);
using ApplyConfig = int (*)(Context*, void* data, String** error);

// What a type can do, as version 4 of the server's table has it (7.0 and later).
struct TypeMethods {
  std::uint64_t version = 4;
  void* (*rdb_load)(Io*, int encoding_version) = nullptr;
  void (*rdb_save)(Io*, void* value) = nullptr;
  void (*aof_rewrite)(Io*, String* key, void* value) = nullptr;
  std::size_t (*mem_usage)(const void* value) = nullptr;
  void (*digest)(void* digest, void* value) = nullptr;
  void (*free)(void* value) = nullptr;
  int (*aux_load)(Io*, int, int) = nullptr;
  void (*aux_save)(Io*, int) = nullptr;
  int aux_save_triggers = 0;
  std::size_t (*free_effort)(String* key, const void* value) = nullptr;
  void (*unlink)(String* key, const void* value) = nullptr;
  void* (*copy)(String* from, String* to, const void* value) = nullptr;
  int (*defrag)(DefragContext*, String* key, void** value) = nullptr;
  void* later_forms[4] = {};  // of the same, with a context
};

// Where a command's keys are: begin_search 2 is "index", find_keys 2 is "range".
struct KeySpec {
  const char* notes = nullptr;
  std::uint64_t flags = 0;
  int begin_search = 2;
  union {
    struct { int position; } index;
    struct { const char* word; int from; } keyword;
  } begin = {.index = {1}};
  int find_keys = 2;
  union {
    struct { int last, step, limit; } range;
    struct { int count, first, step; } counted;
  } find = {.range = {0, 1, 0}};
};
constexpr std::uint64_t kKeyReadOnly = 1 << 0, kKeyReadWrite = 1 << 1, kKeyAccess = 1 << 4, kKeyUpdate = 1 << 5,
                        kKeyInsert = 1 << 6;

// A word of a command, for COMMAND DOCS. A list ends with an entry without a name.
struct Argument {
  const char* name = nullptr;
  int type = 0;  // kArgument...
  int key_spec = -1;
  const char* token = nullptr;
  const char* summary = nullptr;
  const char* since = nullptr;
  int flags = 0;
  const char* deprecated_since = nullptr;
  Argument* parts = nullptr;
  const char* display = nullptr;
};
constexpr int kArgumentString = 0, kArgumentInteger = 1, kArgumentDouble = 2, kArgumentKey = 3, kArgumentWord = 6;
constexpr int kOptional = 1 << 0, kMultiple = 1 << 1;

struct HistoryEntry {
  const char* since;
  const char* changes;
};

// The sizes tell the server how far apart the entries of a list are.
struct CommandInfoVersion {
  int version = 1;
  std::size_t history_entry_bytes = sizeof(HistoryEntry);
  std::size_t key_spec_bytes = sizeof(KeySpec);
  std::size_t argument_bytes = sizeof(Argument);
};

struct CommandInfo {
  const CommandInfoVersion* version = nullptr;
  const char* summary = nullptr;
  const char* complexity = nullptr;
  const char* since = nullptr;
  HistoryEntry* history = nullptr;
  const char* tips = nullptr;
  int arity = 0;
  KeySpec* key_specs = nullptr;
  Argument* arguments = nullptr;
};

// X(the server's name, our name, result, parameters)
#define BLOOMERY_REDIS_NEEDED(X)                                                                              \
  X(Calloc, calloc, void*, (std::size_t count, std::size_t bytes))                                            \
  X(TryAlloc, try_alloc, void*, (std::size_t bytes))                                                          \
  X(Free, free, void, (void*))                                                                                \
  X(MallocSize, malloc_size, std::size_t, (void*))                                                            \
  X(SetModuleAttribs, set_module_attributes, void, (Context*, const char* name, int version, int api))        \
  X(IsModuleNameBusy, is_module_name_busy, int, (const char*))                                                \
  X(SetModuleOptions, set_module_options, void, (Context*, int))                                              \
  X(Log, log, void, (Context*, const char* level, const char* format, ...))                                   \
  X(CreateCommand, create_command, int,                                                                       \
    (Context*, const char* name, CommandFunction, const char* flags, int first_key, int last_key, int step))  \
  X(GetCommand, get_command, Command*, (Context*, const char* name))                                          \
  X(SetCommandInfo, set_command_info, int, (Command*, const CommandInfo*))                                    \
  X(RegisterStringConfig, register_string_config, int,                                                        \
    (Context*, const char* name, const char* initial, unsigned flags, GetStringConfig, SetStringConfig,       \
     ApplyConfig, void* data))                                                                                \
  X(LoadConfigs, load_configs, int, (Context*))                                                               \
  X(WrongArity, wrong_arity, int, (Context*))                                                                 \
  X(GetContextFlags, get_context_flags, int, (Context*))                                                      \
  X(ReplyWithLongLong, reply_integer, int, (Context*, long long))                                             \
  X(ReplyWithBool, reply_bool, int, (Context*, int))                                                          \
  X(ReplyWithNull, reply_null, int, (Context*))                                                               \
  X(ReplyWithError, reply_error, int, (Context*, const char*))                                                \
  X(ReplyWithSimpleString, reply_simple, int, (Context*, const char*))                                        \
  X(ReplyWithStringBuffer, reply_string, int, (Context*, const char*, std::size_t))                           \
  X(ReplyWithArray, reply_array, int, (Context*, long))                                                       \
  X(ReplyWithMap, reply_map, int, (Context*, long))                                                           \
  X(CreateString, create_string, String*, (Context*, const char*, std::size_t))                               \
  X(FreeString, free_string, void, (Context*, String*))                                                       \
  X(StringPtrLen, string_bytes, const char*, (const String*, std::size_t*))                                   \
  X(StringToLongLong, string_to_integer, int, (const String*, long long*))                                    \
  X(StringToDouble, string_to_double, int, (const String*, double*))                                          \
  X(OpenKey, open_key, Key*, (Context*, String*, int mode))                                                   \
  X(CloseKey, close_key, void, (Key*))                                                                        \
  X(KeyType, key_type, int, (Key*))                                                                           \
  X(SignalModifiedKey, signal_modified_key, int, (Context*, String*))                                         \
  X(ModuleTypeGetType, value_type, Type*, (Key*))                                                             \
  X(ModuleTypeGetValue, value, void*, (Key*))                                                                 \
  X(ModuleTypeSetValue, set_value, int, (Key*, Type*, void*))                                                 \
  X(Replicate, replicate, int, (Context*, const char* command, const char* format, ...))                      \
  X(SetAbsExpire, set_expiry_time, int, (Key*, long long when_ms))                                            \
  X(Milliseconds, now_ms, long long, ())                                                                      \
  X(NotifyKeyspaceEvent, notify, int, (Context*, int event_class, const char* event, String* key))            \
  X(RegisterInfoFunc, register_info, int, (Context*, void (*)(InfoContext*, int for_crash_report)))           \
  X(InfoAddSection, add_info_section, int, (InfoContext*, const char* name))                                  \
  X(InfoAddFieldULongLong, add_info_field, int, (InfoContext*, const char* name, unsigned long long))         \
  X(DefragAlloc, move_block, void*, (DefragContext*, void* block))                                            \
  X(DefragShouldStop, should_stop_defrag, int, (DefragContext*))                                              \
  X(DefragCursorSet, set_defrag_cursor, int, (DefragContext*, unsigned long))                                 \
  X(DefragCursorGet, get_defrag_cursor, int, (DefragContext*, unsigned long*))                                \
  X(ReplicateVerbatim, replicate_verbatim, int, (Context*))                                                   \
  X(CreateDataType, create_data_type, Type*, (Context*, const char* name, int version, TypeMethods*))         \
  X(SaveUnsigned, save_unsigned, void, (Io*, std::uint64_t))                                                  \
  X(LoadUnsigned, load_unsigned, std::uint64_t, (Io*))                                                        \
  X(SaveDouble, save_double, void, (Io*, double))                                                             \
  X(LoadDouble, load_double, double, (Io*))                                                                   \
  X(SaveStringBuffer, save_string, void, (Io*, const char*, std::size_t))                                     \
  X(LoadStringBuffer, load_string, char*, (Io*, std::size_t*))                                                \
  X(IsIOError, is_io_error, int, (Io*))                                                                       \
  X(EmitAOF, emit_aof, void, (Io*, const char* command, const char* format, ...))

// Newer than 7.0: null where the server has none.
#define BLOOMERY_REDIS_WELCOME(X)                                                                             \
  X(TryCalloc, try_calloc, void*, (std::size_t count, std::size_t bytes))                                     \
  X(CachedMicroseconds, cached_us, long long, ())                                                             \
  X(AddACLCategory, add_acl_category, int, (Context*, const char*))                                           \
  X(SetCommandACLCategories, set_acl_categories, int, (Command*, const char*))

struct Api {
#define BLOOMERY_REDIS_MEMBER(server_name, name, result, parameters) result(*name) parameters = nullptr;
  BLOOMERY_REDIS_NEEDED(BLOOMERY_REDIS_MEMBER)
  BLOOMERY_REDIS_WELCOME(BLOOMERY_REDIS_MEMBER)
#undef BLOOMERY_REDIS_MEMBER
};

extern Api api;

// Fills api. Returns the server's name of a needed function that it has not, or null.
const char* find_api(Context* context) noexcept;

}  // namespace bloomery::redis
