// THE list of commands.
#include "redis/commands.hpp"

namespace bloomery::redis {
namespace {

template <int (*command)(Context*, Arguments)>
int run(Context* context, String** words, int count) {
  try {
    return command(context, Arguments(words, static_cast<std::size_t>(count)));
  } catch (const std::bad_alloc&) {  // only small things are allocated this way, before a reply has begun
    return api.reply_error(context, "ERR out of memory");
  }
}

struct Row {
  const char* name;
  CommandFunction function;
  const char* flags;
  int arity;
  std::uint64_t key_flags;
  const char* acl_categories;
  const char* tips;
  const char* summary;
  const char* complexity;
  Argument* arguments;
  int last_key = 1;  // -1: all further words are keys that are read
};

constexpr const char* kWriting = "write deny-oom";
constexpr const char* kReading = "readonly fast";
constexpr std::uint64_t kMakes = kKeyReadWrite | kKeyInsert;
constexpr std::uint64_t kChanges = kKeyReadWrite | kKeyUpdate;
constexpr std::uint64_t kAsks = kKeyReadOnly | kKeyAccess;

// Every list begins with the key and ends with an entry without a name.
#define BLOOMERY_KEY {.name = "key", .type = kArgumentKey, .key_spec = 0}
Argument reserve_words[] = {BLOOMERY_KEY,
                            {.name = "error_rate", .type = kArgumentDouble},
                            {.name = "capacity", .type = kArgumentInteger},
                            {.name = "expansion", .type = kArgumentInteger, .token = "EXPANSION", .flags = kOptional},
                            {.name = "nonscaling", .type = kArgumentWord, .token = "NONSCALING", .flags = kOptional},
                            {.name = "layout", .token = "LAYOUT", .flags = kOptional},
                            {.name = "window", .token = "WINDOW", .flags = kOptional},
                            {.name = "full", .token = "FULL", .flags = kOptional},
                            {.name = "began", .type = kArgumentInteger, .token = "BEGAN", .flags = kOptional},
                            {.name = "seconds", .type = kArgumentInteger, .token = "EX", .flags = kOptional},
                            {}};
Argument count_reserve_words[] = {BLOOMERY_KEY,
                                  {.name = "error_rate", .type = kArgumentDouble},
                                  {.name = "capacity", .type = kArgumentInteger},
                                  {.name = "seconds", .type = kArgumentInteger, .token = "EX", .flags = kOptional},
                                  {}};
Argument item_words[] = {BLOOMERY_KEY, {.name = "item"}, {}};
Argument items_words[] = {BLOOMERY_KEY, {.name = "item", .flags = kMultiple}, {}};
Argument insert_words[] = {BLOOMERY_KEY,
                           {.name = "capacity", .type = kArgumentInteger, .token = "CAPACITY", .flags = kOptional},
                           {.name = "error", .type = kArgumentDouble, .token = "ERROR", .flags = kOptional},
                           {.name = "expansion", .type = kArgumentInteger, .token = "EXPANSION", .flags = kOptional},
                           {.name = "nocreate", .type = kArgumentWord, .token = "NOCREATE", .flags = kOptional},
                           {.name = "nonscaling", .type = kArgumentWord, .token = "NONSCALING", .flags = kOptional},
                           {.name = "layout", .token = "LAYOUT", .flags = kOptional},
                           {.name = "seconds", .type = kArgumentInteger, .token = "EX", .flags = kOptional},
                           {.name = "items", .token = "ITEMS", .flags = kMultiple},
                           {}};
Argument key_words[] = {BLOOMERY_KEY, {}};
Argument card_words[] = {BLOOMERY_KEY, {.name = "estimate", .type = kArgumentWord, .token = "ESTIMATE", .flags = kOptional}, {}};
Argument fold_words[] = {BLOOMERY_KEY, {.name = "divisor", .type = kArgumentInteger, .flags = kOptional}, {}};
Argument merge_words[] = {BLOOMERY_KEY, {.name = "source", .type = kArgumentKey, .key_spec = 1, .flags = kMultiple}, {}};
Argument turn_words[] = {BLOOMERY_KEY, {.name = "unix-time-milliseconds", .type = kArgumentInteger}, {}};
Argument info_words[] = {BLOOMERY_KEY, {.name = "field", .flags = kOptional}, {}};
Argument scandump_words[] = {BLOOMERY_KEY, {.name = "iterator", .type = kArgumentInteger}, {}};
Argument loadchunk_words[] = {BLOOMERY_KEY, {.name = "iterator", .type = kArgumentInteger}, {.name = "data"}, {}};
#undef BLOOMERY_KEY

constexpr Row kRows[] = {
    {"bf.reserve", run<reserve>, kWriting, -4, kMakes, "write fast bloom", nullptr,
     "Makes an empty Bloom filter.", "O(1)", reserve_words},
    {"bf.add", run<add>, kWriting, 3, kMakes, "write bloom", nullptr,
     "Adds an item to a Bloom filter, which is made where there is none.", "O(k), k: probes", item_words},
    {"bf.madd", run<madd>, kWriting, -3, kMakes, "write bloom", nullptr,
     "Adds items to a Bloom filter, which is made where there is none.", "O(k * n), n: items", items_words},
    {"bf.insert", run<insert>, kWriting, -4, kMakes, "write bloom", nullptr,
     "Adds items to a Bloom filter, which is made as told where there is none.", "O(k * n), n: items", insert_words},
    {"bf.exists", run<exists>, kReading, 3, kAsks, "read bloom", nullptr,
     "Tells whether an item may have been added to a Bloom filter.", "O(k), k: probes", item_words},
    {"bf.mexists", run<mexists>, kReading, -3, kAsks, "read bloom", nullptr,
     "Tells which items may have been added to a Bloom filter.", "O(k * n), n: items", items_words},
    {"bf.info", run<info>, kReading, -2, kAsks, "read fast bloom", "dont_cache",
     "Describes a Bloom filter.", "O(1)", info_words},
    {"bf.card", run<card>, kReading, -2, kAsks, "read fast bloom", nullptr,
     "Counts the items that were new when they were added, or estimates them from the bits.",
     "O(1); ESTIMATE: O(n), n: bytes", card_words},
    {"bf.debug", run<debug>, kReading, 2, kAsks, "read bloom", "dont_cache",
     "Describes each filter of a chain.", "O(n), n: filters", key_words},
    {"bf.scandump", run<scandump>, kReading, 3, kAsks, "read bloom", "dont_cache",
     "Sends a piece of a Bloom filter, to be kept elsewhere.", "O(n), n: bytes", scandump_words},
    {"bf.loadchunk", run<loadchunk>, kWriting, 4, kMakes, "write bloom", nullptr,
     "Takes a piece that SCANDUMP sent.", "O(n), n: bytes", loadchunk_words},
    {"bf.merge", run<merge>, kWriting, -3, kMakes, "write bloom", nullptr,
     "Adds all items of other Bloom filters of the same shape.", "O(n), n: bytes", merge_words, -1},
    {"bf.reset", run<reset>, kWriting, 2, kChanges, "write bloom", nullptr,
     "Forgets all items of a Bloom filter.", "O(1)", key_words},
    {"bf.fold", run<fold>, kWriting, -2, kChanges, "write bloom", nullptr,
     "Makes a Bloom filter smaller, and its error rate higher.", "O(n), n: bytes", fold_words},
    {"bf.turn", run<turn>, "write", 3, kChanges, "write bloom", nullptr,
     "Forgets what is older than the window of time of a filter: how replicas and files are told.", "O(n), n: bytes", turn_words},
    {"cbf.reserve", run<count_reserve>, kWriting, -4, kMakes, "write fast bloom", nullptr,
     "Makes an empty counting filter.", "O(1)", count_reserve_words},
    {"cbf.add", run<count_add>, kWriting, 3, kMakes, "write bloom", nullptr,
     "Adds an item to a counting filter, which is made where there is none.", "O(k), k: probes", item_words},
    {"cbf.madd", run<count_madd>, kWriting, -3, kMakes, "write bloom", nullptr,
     "Adds items to a counting filter, which is made where there is none.", "O(k * n), n: items", items_words},
    {"cbf.exists", run<count_exists>, kReading, 3, kAsks, "read bloom", nullptr,
     "Tells whether an item may be in a counting filter.", "O(k), k: probes", item_words},
    {"cbf.mexists", run<count_mexists>, kReading, -3, kAsks, "read bloom", nullptr,
     "Tells which items may be in a counting filter.", "O(k * n), n: items", items_words},
    {"cbf.del", run<count_delete>, "write fast", 3, kChanges, "write bloom", nullptr,
     "Takes one copy of an item out of a counting filter.", "O(k), k: probes", item_words},
    {"cbf.count", run<count_count>, kReading, 3, kAsks, "read bloom", nullptr,
     "Tells how often an item was added to a counting filter, at most.", "O(k), k: probes", item_words},
    {"cbf.info", run<count_info>, kReading, 2, kAsks, "read fast bloom", "dont_cache",
     "Describes a counting filter.", "O(1)", key_words},
};

bool describe(Context* context, const Row& row) noexcept {
  static constexpr CommandInfoVersion kVersion;
  Command* command = api.get_command(context, row.name);
  KeySpec keys[3] = {{.flags = row.key_flags}, {.flags = kAsks}, {}};
  keys[1].begin.index.position = 2;
  keys[1].find.range.last = -1;
  keys[row.last_key == 1 ? 1 : 2].begin_search = 0;  // ends the list
  const CommandInfo info = {.version = &kVersion, .summary = row.summary, .complexity = row.complexity,
                            .since = "1.0.0", .tips = row.tips, .arity = row.arity, .key_specs = keys,
                            .arguments = row.arguments};
  return command && api.set_command_info(command, &info) == kOk &&
         (!api.set_acl_categories || api.set_acl_categories(command, row.acl_categories) == kOk);
}

}  // namespace

bool register_commands(Context* context) noexcept {
  if (api.add_acl_category && api.add_acl_category(context, "bloom") != kOk) return false;
  for (const Row& row : kRows)
    if (api.create_command(context, row.name, row.function, row.flags, 1, row.last_key, 1) != kOk || !describe(context, row)) {
      api.log(context, "warning", "the server refuses the command %s", row.name);
      return false;
    }
  return true;
}

}  // namespace bloomery::redis
