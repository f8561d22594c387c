/* bloomery for C (C11) and for everything that can call C. The same filters, files and answers as in C++.
 *
 *   bloomery_spec spec = BLOOMERY_SPEC_INIT;
 *   bloomery_filter* filter;
 *   bloomery_error error;
 *   spec.expected_keys = 1000000;
 *   if (bloomery_create(&spec, &filter, &error)) return fail(error.message);
 *   bloomery_insert(filter, "example.com/", 12, NULL, NULL);
 *   bloomery_may_contain(filter, "example.com/", 12);    // true, always
 *   bloomery_may_contain(filter, "something else", 14);  // false, about 99 times in 100
 *   bloomery_free(filter);
 *
 * Rules that hold everywhere:
 * (1) Handles are opaque. Who makes one frees it. A handle that could not be made is set to NULL.
 * (2) A key is (pointer, length): any bytes. A length of 0 is a key too; its pointer may then be NULL.
 * (3) What can fail returns a bloomery_status, 0 for success. `error`, always the last argument, belongs to
 *     the caller and may be NULL. It is written on failure only. Nothing here prints, exits or throws.
 * (4) Queries cannot fail and do not allocate: false is certain, true is "maybe".
 * (5) NULL: free functions do nothing; queries of a NULL filter say maybe; numbers about one are 0. Functions
 *     that return a status answer BLOOMERY_INVALID_ARGUMENT and name the argument, unless it is said to be
 *     optional. Arrays of 0 elements may be NULL.
 * (6) Threads: functions that take a const bloomery_filter* may run at the same time on one filter. All others
 *     need it for themselves. Different filters never interfere.
 * (7) Structs that may grow begin with struct_size; their INIT macro sets it. The library reads a shorter struct
 *     (an older caller's) as if the missing fields had their INIT values, and a longer one if what it does not
 *     know is zero. Of a struct that it fills it writes struct_size bytes at most; the unknown rest becomes zero.
 * Numbers of statuses, kinds and hashes are frozen; new ones may come.
 */
#ifndef BLOOMERY_H
#define BLOOMERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bloomery/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Statuses ---- */

typedef int bloomery_status;
enum {
  BLOOMERY_OK = 0,
  BLOOMERY_INVALID_ARGUMENT = 1, /* the caller's numbers make no sense */
  BLOOMERY_NOT_SUPPORTED = 2,    /* this kind, or a read-only filter, cannot do that */
  BLOOMERY_FULL = 3,             /* no room left */
  BLOOMERY_INCOMPATIBLE = 4,     /* merge of filters with different shapes or hashes */
  BLOOMERY_KEY_REQUIRED = 5,     /* the file was made with a secret key, and none was given */
  BLOOMERY_WRONG_KEY = 6,        /* the key given is not the one the file was made with */
  BLOOMERY_LOCKED = 7,           /* another process is updating this file */
  BLOOMERY_NOT_A_FILTER = 10,    /* no known format claims these bytes */
  BLOOMERY_TOO_NEW = 11,         /* a version or feature that this library does not know */
  BLOOMERY_CORRUPT = 12,         /* the header contradicts itself, the length or a checksum */
  BLOOMERY_IO = 20,              /* the operating system said no */
  BLOOMERY_NO_MEMORY = 21,
  BLOOMERY_NO_VALUE = 100 /* nothing is wrong, but there is no such number (bloomery_estimated_keys) */
};

typedef struct bloomery_error {
  bloomery_status code;
  char message[252]; /* one line of UTF-8, NUL-terminated, cut between characters where it is too long */
} bloomery_error;

BLOOMERY_API const char* bloomery_status_name(bloomery_status status); /* "corrupt"; "unknown status" */
BLOOMERY_API const char* bloomery_version(void);                       /* of the library: "0.1.0" */

/* ---- Hashing ---- */

typedef struct bloomery_hash { /* a hashed key */
  uint64_t lo, hi;
} bloomery_hash;

enum {
  BLOOMERY_HASH_XXH3 = 1,
  BLOOMERY_HASH_MURMUR3 = 2,
  BLOOMERY_HASH_SIPHASH = 3,
  BLOOMERY_HASH_AES = 4,
  BLOOMERY_HASH_PRECOMPUTED = 255
};

typedef struct bloomery_hasher {
  int32_t id;      /* BLOOMERY_HASH_... */
  int32_t zero;    /* reserved */
  uint8_t key[16]; /* xxh3, aes: seed in bytes 0-7, little-endian, then zeros. siphash: the secret. Others: zeros */
} bloomery_hasher;

/* The hash of a key, to be used with several filters of one hasher. */
BLOOMERY_API bloomery_status bloomery_hash_key(const bloomery_hasher* hasher, const void* key, size_t length,
                                               bloomery_hash* out, bloomery_error* error);
/* The hash of a key that the caller hashed to one well-mixed word; the ..._u64 functions take words so. */
BLOOMERY_API bloomery_hash bloomery_hash_from_u64(uint64_t word);
BLOOMERY_API const char* bloomery_hash_name(int32_t hash_id);          /* "xxh3"; "?" if unknown */
BLOOMERY_API int32_t bloomery_hash_id_from_name(const char* name);     /* 0 if unknown */

/* ---- Planning ---- */

enum {
  BLOOMERY_KIND_CLASSIC = 1,
  BLOOMERY_KIND_BLOCKED = 2,
  BLOOMERY_KIND_EXACT = 3,
  BLOOMERY_KIND_COUNTING = 4,
  BLOOMERY_KIND_FUSE = 5,
  BLOOMERY_KIND_RIBBON = 6,
  BLOOMERY_KIND_WINDOWED = 7
};

BLOOMERY_API const char* bloomery_kind_name(int32_t kind);        /* "blocked"; "?" if unknown */
BLOOMERY_API int32_t bloomery_kind_from_name(const char* name);   /* 0 if unknown */

typedef struct bloomery_shape { /* everything about a segment but its bytes; fields as in the file format */
  uint16_t kind;
  uint8_t rule, probes, cell_bits, lines_per_key;
  uint16_t zero; /* reserved */
  uint64_t cells, salt, param[2];
} bloomery_shape;

/* What is 0 is not given, and solved for. Sufficient: keys and one of fpr, bits, bits_per_key; or bits and fpr;
 * or bits and hashes. */
typedef struct bloomery_plan_request {
  size_t struct_size;
  uint64_t keys;          /* 1 .. 2^40 */
  double fpr;             /* 1e-18 .. below 1 */
  uint64_t bits;          /* 1 .. 2^50 */
  double bits_per_key;    /* instead of bits */
  uint32_t hashes;        /* classic 1..255; blocked 1..8, in each line */
  uint32_t lines_per_key; /* blocked 1..8 */
  int32_t kind;           /* BLOOMERY_KIND_... */
  int32_t article;        /* 1: the reference article's formulas (classic, for murmur3) */
  uint32_t cell_bits;     /* counting 2, 4, 8, 16; fuse 8, 16, 32; ribbon 1..32 */
  uint32_t zero;          /* reserved */
} bloomery_plan_request;
#define BLOOMERY_PLAN_REQUEST_INIT \
  { sizeof(bloomery_plan_request), 0, 0, 0, 0, 0, 0, BLOOMERY_KIND_BLOCKED, 0, 0, 0 }

typedef struct bloomery_plan {
  size_t struct_size;
  bloomery_shape shape;
  uint64_t keys;      /* planned for; 0 if nothing was said */
  double fpr;         /* achieved at `keys`; 0 if keys is 0 */
  double asked_fpr;   /* 0 if no rate was asked for */
  uint64_t size_bytes;
  double bits_per_key;
  double fpr_floor;   /* what the width of the hash alone costs at `keys` */
} bloomery_plan;
#define BLOOMERY_PLAN_INIT \
  { sizeof(bloomery_plan), {0, 0, 0, 0, 0, 0, 0, 0, {0, 0}}, 0, 0, 0, 0, 0, 0 }

/* Errors: INVALID_ARGUMENT, naming the field and its range. plan->struct_size must be set. */
BLOOMERY_API bloomery_status bloomery_make_plan(const bloomery_plan_request* want, bloomery_plan* plan,
                                                bloomery_error* error);
/* The rate of a planned shape once `keys` distinct keys are in. NaN for a shape that nothing can have. */
BLOOMERY_API double bloomery_plan_fpr_at(const bloomery_plan* plan, uint64_t keys);

/* ---- Filters ---- */

typedef struct bloomery_filter bloomery_filter;

typedef struct bloomery_spec {
  size_t struct_size;
  uint64_t expected_keys; /* exact: 0 is fine, it grows */
  double fpr;             /* once expected_keys are in, over keys that never were */
  int32_t kind;
  int32_t zero; /* reserved */
  bloomery_hasher hasher;
} bloomery_spec;
#define BLOOMERY_SPEC_INIT \
  { sizeof(bloomery_spec), 0, 0.01, BLOOMERY_KIND_BLOCKED, 0, {BLOOMERY_HASH_XXH3, 0, {0}} }
#define BLOOMERY_HASHER_INIT \
  { BLOOMERY_HASH_XXH3, 0, {0} }

/* An empty filter. Errors: INVALID_ARGUMENT, NO_MEMORY. */
BLOOMERY_API bloomery_status bloomery_create(const bloomery_spec* spec, bloomery_filter** out, bloomery_error* error);
/* An empty filter of a planned shape. hasher may be NULL: xxh3. */
BLOOMERY_API bloomery_status bloomery_create_planned(const bloomery_plan* plan, const bloomery_hasher* hasher,
                                                     bloomery_filter** out, bloomery_error* error);
/* A filter of these keys, for any kind; repeats among them are fine. */
BLOOMERY_API bloomery_status bloomery_build(const bloomery_spec* spec, const bloomery_hash* keys, size_t count,
                                            bloomery_filter** out, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_build_u64(const bloomery_spec* spec, const uint64_t* keys, size_t count,
                                                bloomery_filter** out, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_clone(const bloomery_filter* filter, bloomery_filter** out,
                                            bloomery_error* error); /* a writable copy */
BLOOMERY_API void bloomery_free(bloomery_filter* filter);

/* Queries. A key asked of a filter that cannot hash it (precomputed, or a secret not given) is a maybe. */
BLOOMERY_API bool bloomery_may_contain(const bloomery_filter* filter, const void* key, size_t length);
BLOOMERY_API bool bloomery_may_contain_hash(const bloomery_filter* filter, bloomery_hash key);
BLOOMERY_API bool bloomery_may_contain_u64(const bloomery_filter* filter, uint64_t key);
/* Batches are faster from about 8 keys on. They return how many are maybes; out (optional) takes each answer. */
BLOOMERY_API uint64_t bloomery_may_contain_n(const bloomery_filter* filter, const void* const* keys,
                                             const size_t* lengths, size_t count, bool* out);
BLOOMERY_API uint64_t bloomery_may_contain_hash_n(const bloomery_filter* filter, const bloomery_hash* keys,
                                                  size_t count, bool* out);
BLOOMERY_API uint64_t bloomery_may_contain_u64_n(const bloomery_filter* filter, const uint64_t* keys, size_t count,
                                                 bool* out);

/* Insertion. *fresh (optional): true if the key was new, false if it may have been in already.
 * Errors: NOT_SUPPORTED (read-only; a precomputed filter given a key to hash), KEY_REQUIRED, NO_MEMORY (exact
 * only). A Bloom filter never refuses: past its planned keys its rate rises. */
BLOOMERY_API bloomery_status bloomery_insert(bloomery_filter* filter, const void* key, size_t length, bool* fresh,
                                             bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_insert_hash(bloomery_filter* filter, bloomery_hash key, bool* fresh,
                                                  bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_insert_u64(bloomery_filter* filter, uint64_t key, bool* fresh,
                                                 bloomery_error* error);
/* As if one by one, in order. fresh: count answers, optional. fresh_count (optional): how many were fresh.
 * On NO_MEMORY the keys before the one that found no room are in; fresh_count is not written. */
BLOOMERY_API bloomery_status bloomery_insert_n(bloomery_filter* filter, const void* const* keys,
                                               const size_t* lengths, size_t count, bool* fresh,
                                               uint64_t* fresh_count, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_insert_hash_n(bloomery_filter* filter, const bloomery_hash* keys, size_t count,
                                                    bool* fresh, uint64_t* fresh_count, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_insert_u64_n(bloomery_filter* filter, const uint64_t* keys, size_t count,
                                                   bool* fresh, uint64_t* fresh_count, bloomery_error* error);

/* The same by several threads at once: these two may run beside each other on one filter, and beside nothing else.
 * Of simultaneous inserts of one new key at least one reports fresh. Errors: NOT_SUPPORTED for exact and static
 * kinds and for several segments, or as insert. */
BLOOMERY_API bloomery_status bloomery_insert_concurrent_n(bloomery_filter* filter, const void* const* keys,
                                                          const size_t* lengths, size_t count, bool* fresh,
                                                          uint64_t* fresh_count, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_insert_concurrent_hash_n(bloomery_filter* filter, const bloomery_hash* keys,
                                                               size_t count, bool* fresh, uint64_t* fresh_count,
                                                               bloomery_error* error);

/* Counting filters: takes a key out once. The key must be in: erasing one that is not, but that may_contain accepts,
 * can make the filter forget others. *erased (optional): false if the key certainly was not in; nothing has changed
 * then. Errors: NOT_SUPPORTED for any other kind, KEY_REQUIRED. */
BLOOMERY_API bloomery_status bloomery_erase(bloomery_filter* filter, const void* key, size_t length, bool* erased,
                                            bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_erase_hash(bloomery_filter* filter, bloomery_hash key, bool* erased,
                                                 bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_erase_u64(bloomery_filter* filter, uint64_t key, bool* erased,
                                                bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_erase_n(bloomery_filter* filter, const void* const* keys, const size_t* lengths,
                                              size_t count, bool* erased, uint64_t* erased_count,
                                              bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_erase_hash_n(bloomery_filter* filter, const bloomery_hash* keys, size_t count,
                                                   bool* erased, uint64_t* erased_count, bloomery_error* error);
/* How often the key is in, at most. NO_VALUE when nobody knows: its counters are full, or the kind does not count. */
BLOOMERY_API bloomery_status bloomery_count_at_most(const bloomery_filter* filter, const void* key, size_t length,
                                                    uint64_t* out, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_count_at_most_hash(const bloomery_filter* filter, bloomery_hash key,
                                                         uint64_t* out, bloomery_error* error);
/* A writable filter without counters and with the same answers. Errors: NOT_SUPPORTED (not counting), NO_MEMORY. */
BLOOMERY_API bloomery_status bloomery_to_plain(const bloomery_filter* filter, bloomery_filter** out,
                                               bloomery_error* error);

/* Union and intersection. Errors: INCOMPATIBLE (names the field that differs), NOT_SUPPORTED; NO_MEMORY
 * (exact only). Then nothing has changed. */
BLOOMERY_API bloomery_status bloomery_merge(bloomery_filter* filter, const bloomery_filter* other,
                                            bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_intersect(bloomery_filter* filter, const bloomery_filter* other,
                                                bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_clear(bloomery_filter* filter, bloomery_error* error); /* forgets all keys */
/* A further segment of the same kind: new keys go there, queries ask all. */
BLOOMERY_API bloomery_status bloomery_append_segment(bloomery_filter* filter, const bloomery_plan* plan,
                                                     bloomery_error* error);
/* Exact: room for more keys in one step. Errors: FULL when that would take more than max_bytes, NO_MEMORY. */
BLOOMERY_API bloomery_status bloomery_reserve(bloomery_filter* filter, uint64_t more_keys, uint64_t max_bytes,
                                              bloomery_error* error);
/* Same hasher, shapes and bits. NULL equals NULL only. */
BLOOMERY_API bool bloomery_equal(const bloomery_filter* a, const bloomery_filter* b);

enum {
  BLOOMERY_OP_INSERT = 0,
  BLOOMERY_OP_INSERT_KEY = 1,
  BLOOMERY_OP_MERGE = 2,
  BLOOMERY_OP_INTERSECT = 3,
  BLOOMERY_OP_ERASE = 4
};
BLOOMERY_API bool bloomery_can(const bloomery_filter* filter, int operation); /* false for an unknown one */

/* ---- What a filter knows ---- */

typedef struct bloomery_info {
  size_t struct_size;
  int32_t kind, hash_id;
  uint64_t segments;
  uint64_t planned_keys;
  double planned_fpr, expected_fpr;  /* expected: by the model, at keys_inserted */
  uint64_t keys_offered;             /* insertions, repeats included */
  uint64_t keys_inserted;            /* fresh ones among them */
  double expected_wrong_repeats;     /* kept for whoever tracks it */
  uint64_t size_bytes;               /* of all segments, as in a file */
  uint64_t memory_bytes;             /* what this process holds for them (mapped files: 0) */
  uint32_t optional_features;
  bool inserted_is_estimate, read_only, key_missing; /* key_missing: opened without the secret key */
  uint8_t zero;                                      /* reserved */
} bloomery_info;
#define BLOOMERY_INFO_INIT \
  { sizeof(bloomery_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, false, 0 }

typedef struct bloomery_segment {
  size_t struct_size;
  bloomery_shape shape;
  uint64_t planned_keys;
  double planned_fpr;
  uint64_t keys_inserted;
  const void* bytes; /* valid until the next change; NULL, and size_bytes 0, while an exact filter is in memory, and
                        where a growing one in memory has the lines of several segments taking turns */
  uint64_t size_bytes;
} bloomery_segment;
#define BLOOMERY_SEGMENT_INIT \
  { sizeof(bloomery_segment), {0, 0, 0, 0, 0, 0, 0, 0, {0, 0}}, 0, 0, 0, NULL, 0 }

/* Cost: O(segments). Neither touches the bits. */
BLOOMERY_API bloomery_status bloomery_get_info(const bloomery_filter* filter, bloomery_info* info,
                                               bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_get_segment(const bloomery_filter* filter, uint64_t index,
                                                  bloomery_segment* segment, bloomery_error* error);
/* Also the secret key, where there is one and it was given. */
BLOOMERY_API bloomery_status bloomery_get_hasher(const bloomery_filter* filter, bloomery_hasher* out,
                                                 bloomery_error* error);
BLOOMERY_API void bloomery_set_expected_wrong_repeats(bloomery_filter* filter, double expected);

/* What the bits say. Cost: O(size). */
BLOOMERY_API double bloomery_fill_ratio(const bloomery_filter* filter);
BLOOMERY_API double bloomery_current_fpr(const bloomery_filter* filter);
/* NO_VALUE when every bit is set: the bits no longer tell. */
BLOOMERY_API bloomery_status bloomery_estimated_keys(const bloomery_filter* filter, double* out,
                                                     bloomery_error* error);

/* The fingerprints of an exact filter, in ascending order, in runs. Errors: NOT_SUPPORTED for any other kind.
 * visit must return (no longjmp, no exception). */
typedef void (*bloomery_visit)(void* context, const bloomery_hash* run, size_t count);
BLOOMERY_API bloomery_status bloomery_visit_fingerprints(const bloomery_filter* filter, bloomery_visit visit,
                                                         void* context, bloomery_error* error);

/* ---- Files and bytes ---- */

enum { BLOOMERY_LOAD_MAP = 0, BLOOMERY_LOAD_COPY = 1 };

typedef struct bloomery_open_options {
  size_t struct_size;
  const uint8_t* key;  /* 16 bytes, for files made under a secret key; NULL: none */
  int32_t load;        /* MAP: read-only, opens at once, the file must not be truncated. COPY: a writable copy */
  int32_t without_key; /* 1: open such a file all the same, for what it says about itself */
} bloomery_open_options;
#define BLOOMERY_OPEN_OPTIONS_INIT \
  { sizeof(bloomery_open_options), NULL, BLOOMERY_LOAD_MAP, 0 }

/* options may be NULL. Only the header is checked; bloomery_verify checks all.
 * Errors: IO, NOT_A_FILTER, TOO_NEW, CORRUPT, KEY_REQUIRED, WRONG_KEY, NO_MEMORY; messages name the file. */
BLOOMERY_API bloomery_status bloomery_open(const char* path, const bloomery_open_options* options,
                                           bloomery_filter** out, bloomery_error* error);
/* From memory. With LOAD_MAP the bytes are borrowed: they must outlive the filter. */
BLOOMERY_API bloomery_status bloomery_decode(const void* bytes, size_t size, const bloomery_open_options* options,
                                             bloomery_filter** out, bloomery_error* error);
/* At any moment the path holds the old file or the new one, whole. */
BLOOMERY_API bloomery_status bloomery_save(const bloomery_filter* filter, const char* path, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_write(const bloomery_filter* filter, int fd, bloomery_error* error);

typedef struct bloomery_bytes {
  const unsigned char* data;
  size_t size;
  void* owner; /* the library's */
} bloomery_bytes;

/* The file form in memory; free it with bloomery_free_bytes. */
BLOOMERY_API bloomery_status bloomery_encode(const bloomery_filter* filter, bloomery_bytes* out,
                                             bloomery_error* error);
BLOOMERY_API void bloomery_free_bytes(bloomery_bytes* bytes); /* and sets it to zeros */

/* Every checksum, every reserved byte; needs no key. Cost: O(file). */
BLOOMERY_API bloomery_status bloomery_verify(const char* path, bloomery_error* error);
BLOOMERY_API bloomery_status bloomery_verify_bytes(const void* bytes, size_t size, bloomery_error* error);

typedef struct bloomery_file_info { /* what only the file knows */
  size_t struct_size;
  uint64_t version, file_bytes, header_bytes, alignment, chunks;
  uint32_t required_features, optional_features;
} bloomery_file_info;
#define BLOOMERY_FILE_INFO_INIT \
  { sizeof(bloomery_file_info), 0, 0, 0, 0, 0, 0, 0 }

BLOOMERY_API bloomery_status bloomery_inspect(const char* path, bloomery_file_info* info, bloomery_error* error);

/* Who updates a file holds its lock meanwhile (PATH.lock). Errors: LOCKED (somebody else has it), IO. */
typedef struct bloomery_lock bloomery_lock;
BLOOMERY_API bloomery_status bloomery_lock_acquire(const char* path, bloomery_lock** out, bloomery_error* error);
BLOOMERY_API void bloomery_lock_release(bloomery_lock* lock);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include "bloomery/family.h" /* filters that grow or forget, shrinking, comparing */

#endif /* BLOOMERY_H */
