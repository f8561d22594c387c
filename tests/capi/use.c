/* The C API from a C program (C11, pedantic): every function at least once, and what each must answer. */
#include <bloomery.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;
#define CHECK(condition) ((condition) ? (void)0 : complain(__LINE__, #condition))

static void complain(int line, const char* condition) {
  fprintf(stderr, "use.c:%d: not so: %s\n", line, condition);
  ++failures;
}

static bloomery_filter* make_filter(int32_t kind, int32_t hash_id) {
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_filter* filter = NULL;
  bloomery_error error;
  spec.kind = kind;
  spec.expected_keys = 1000;
  spec.hasher.id = hash_id;
  if (bloomery_create(&spec, &filter, &error) != BLOOMERY_OK) {
    fprintf(stderr, "create: %s\n", error.message);
    exit(1);
  }
  return filter;
}

static void test_keys(int32_t kind) {
  bloomery_filter* filter = make_filter(kind, BLOOMERY_HASH_XXH3);
  const char* words[] = {"apple", "pear", "apple", ""};
  const size_t lengths[] = {5, 4, 5, 0};
  bool fresh[4] = {false, false, true, false}, maybe[4] = {false, false, false, false};
  uint64_t fresh_count = 0;
  bool is_fresh = false;
  CHECK(!bloomery_may_contain(filter, "apple", 5));
  CHECK(bloomery_may_contain_n(filter, (const void* const*)words, lengths, 4, maybe) == 0);
  CHECK(bloomery_insert(filter, "kiwi", 4, &is_fresh, NULL) == BLOOMERY_OK && is_fresh);
  CHECK(bloomery_insert(filter, "kiwi", 4, &is_fresh, NULL) == BLOOMERY_OK && !is_fresh);
  CHECK(bloomery_insert_n(filter, (const void* const*)words, lengths, 4, fresh, &fresh_count, NULL) == BLOOMERY_OK);
  CHECK(fresh_count == 3 && fresh[0] && fresh[1] && !fresh[2] && fresh[3]);
  CHECK(bloomery_may_contain_n(filter, (const void* const*)words, lengths, 4, maybe) == 4 && maybe[3]);
  CHECK(bloomery_may_contain_n(filter, (const void* const*)words, lengths, 4, NULL) == 4);
  CHECK(bloomery_may_contain(filter, NULL, 0));
  CHECK(bloomery_clear(filter, NULL) == BLOOMERY_OK && !bloomery_may_contain(filter, "kiwi", 4));
  bloomery_free(filter);
}

static void test_hashes(void) {
  bloomery_filter* filter = make_filter(BLOOMERY_KIND_BLOCKED, BLOOMERY_HASH_XXH3);
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_hash hash;
  uint64_t words[600], fresh_count = 0;
  bloomery_hash hashes[600];
  bool fresh = false, out[600];
  CHECK(bloomery_get_hasher(filter, &hasher, NULL) == BLOOMERY_OK && hasher.id == BLOOMERY_HASH_XXH3);
  CHECK(bloomery_hash_key(&hasher, "apple", 5, &hash, NULL) == BLOOMERY_OK);
  CHECK(bloomery_insert_hash(filter, hash, &fresh, NULL) == BLOOMERY_OK && fresh);
  CHECK(bloomery_may_contain(filter, "apple", 5) && bloomery_may_contain_hash(filter, hash));
  for (unsigned i = 0; i < 600; ++i) {
    words[i] = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    hashes[i] = bloomery_hash_from_u64(words[i]);
  }
  CHECK(bloomery_insert_u64(filter, words[0], &fresh, NULL) == BLOOMERY_OK && fresh);
  CHECK(bloomery_may_contain_u64(filter, words[0]));
  CHECK(bloomery_insert_u64_n(filter, words, 600, NULL, &fresh_count, NULL) == BLOOMERY_OK && fresh_count <= 599);
  CHECK(bloomery_insert_hash_n(filter, hashes, 600, out, &fresh_count, NULL) == BLOOMERY_OK && fresh_count == 0);
  CHECK(!out[599]);
  CHECK(bloomery_may_contain_hash_n(filter, hashes, 600, out) == 600 && out[599]);
  CHECK(bloomery_may_contain_u64_n(filter, words, 600, out) == 600 && out[0]);
  CHECK(bloomery_may_contain_u64_n(filter, words, 600, NULL) == 600);
  bloomery_free(filter);
}

static void test_plan(void) {
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  bloomery_hasher murmur3 = BLOOMERY_HASHER_INIT;
  bloomery_filter* filter = NULL;
  bloomery_error error;
  want.kind = BLOOMERY_KIND_CLASSIC;
  want.keys = 1000;
  want.fpr = 0.01;
  want.article = 1;
  CHECK(bloomery_make_plan(&want, &plan, &error) == BLOOMERY_OK);
  CHECK(plan.shape.cells == 9586 && plan.shape.probes == 7 && plan.size_bytes == 1199);
  CHECK(fabs(bloomery_plan_fpr_at(&plan, 1000) - plan.fpr) < 1e-12 && bloomery_plan_fpr_at(&plan, 0) == 0);
  murmur3.id = BLOOMERY_HASH_MURMUR3;
  CHECK(bloomery_create_planned(&plan, &murmur3, &filter, &error) == BLOOMERY_OK);
  CHECK(bloomery_append_segment(filter, &plan, &error) == BLOOMERY_OK);
  CHECK(!bloomery_can(filter, BLOOMERY_OP_INTERSECT) && bloomery_can(filter, BLOOMERY_OP_INSERT_KEY));
  bloomery_free(filter);
  want.fpr = 2;
  CHECK(bloomery_make_plan(&want, &plan, &error) == BLOOMERY_INVALID_ARGUMENT && strstr(error.message, "fpr") != NULL);
}

static void test_info(void) {
  bloomery_filter* filter = make_filter(BLOOMERY_KIND_CLASSIC, BLOOMERY_HASH_XXH3);
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_segment segment = BLOOMERY_SEGMENT_INIT;
  double keys = -1;
  bloomery_insert(filter, "a", 1, NULL, NULL);
  bloomery_insert(filter, "a", 1, NULL, NULL);
  bloomery_set_expected_wrong_repeats(filter, 0.5);
  CHECK(bloomery_get_info(filter, &info, NULL) == BLOOMERY_OK);
  CHECK(info.kind == BLOOMERY_KIND_CLASSIC && info.hash_id == BLOOMERY_HASH_XXH3 && info.segments == 1);
  CHECK(info.planned_keys == 1000 && info.planned_fpr > 0 && info.planned_fpr <= 0.01 && info.expected_fpr < 1e-9);
  CHECK(info.keys_offered == 2 && info.keys_inserted == 1 && info.expected_wrong_repeats == 0.5);
  CHECK(info.size_bytes > 1000 && info.memory_bytes >= info.size_bytes && !info.read_only && !info.key_missing);
  CHECK(bloomery_get_segment(filter, 0, &segment, NULL) == BLOOMERY_OK);
  CHECK(segment.size_bytes == info.size_bytes && segment.bytes != NULL && segment.keys_inserted == 1);
  CHECK(bloomery_get_segment(filter, 1, &segment, NULL) == BLOOMERY_INVALID_ARGUMENT);
  CHECK(bloomery_fill_ratio(filter) > 0 && bloomery_fill_ratio(filter) < 0.01 && bloomery_current_fpr(filter) < 0.01);
  CHECK(bloomery_estimated_keys(filter, &keys, NULL) == BLOOMERY_OK && fabs(keys - 1) < 0.01);
  bloomery_free(filter);
}

static void count_fingerprints(void* context, const bloomery_hash* run, size_t count) {
  if (run != NULL) *(size_t*)context += count;
}

static void test_combine(void) {
  bloomery_filter* a = make_filter(BLOOMERY_KIND_EXACT, BLOOMERY_HASH_XXH3);
  bloomery_filter *b = NULL, *other_hash = make_filter(BLOOMERY_KIND_EXACT, BLOOMERY_HASH_MURMUR3);
  bloomery_error error;
  size_t fingerprints = 0;
  CHECK(bloomery_reserve(a, 100, UINT64_MAX, NULL) == BLOOMERY_OK);
  bloomery_insert(a, "both", 4, NULL, NULL);
  CHECK(bloomery_clone(a, &b, NULL) == BLOOMERY_OK && bloomery_equal(a, b));
  bloomery_insert(a, "only a", 6, NULL, NULL);
  bloomery_insert(b, "only b", 6, NULL, NULL);
  CHECK(!bloomery_equal(a, b));
  CHECK(bloomery_merge(a, b, NULL) == BLOOMERY_OK && bloomery_may_contain(a, "only b", 6));
  CHECK(bloomery_visit_fingerprints(a, count_fingerprints, &fingerprints, NULL) == BLOOMERY_OK && fingerprints == 3);
  CHECK(bloomery_intersect(a, b, NULL) == BLOOMERY_OK && bloomery_equal(a, b));
  CHECK(!bloomery_may_contain(a, "only a", 6) && bloomery_may_contain(a, "both", 4));
  CHECK(bloomery_merge(a, other_hash, &error) == BLOOMERY_INCOMPATIBLE && strstr(error.message, "xxh3") != NULL);
  bloomery_free(a);
  bloomery_free(b);
  bloomery_free(other_hash);
}

static void test_files(const char* folder) {
  char path[4096];
  bloomery_filter *filter = NULL, *opened = NULL;
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_open_options options = BLOOMERY_OPEN_OPTIONS_INIT;
  bloomery_file_info info = BLOOMERY_FILE_INFO_INIT;
  bloomery_lock *lock = NULL, *second = NULL;
  bloomery_error error;
  const uint64_t words[] = {UINT64_C(0x9E3779B97F4A7C15), 1};
  snprintf(path, sizeof path, "%s/use.blm", folder);
  spec.expected_keys = 100;
  spec.hasher.id = BLOOMERY_HASH_SIPHASH;
  memcpy(spec.hasher.key, "sixteen secrets!", 16);
  CHECK(bloomery_build_u64(&spec, words, 2, &filter, NULL) == BLOOMERY_OK);
  CHECK(bloomery_lock_acquire(path, &lock, NULL) == BLOOMERY_OK);
  CHECK(bloomery_lock_acquire(path, &second, &error) == BLOOMERY_LOCKED && second == NULL);
  CHECK(bloomery_save(filter, path, &error) == BLOOMERY_OK);
  bloomery_lock_release(lock);
  CHECK(bloomery_verify(path, NULL) == BLOOMERY_OK);
  CHECK(bloomery_inspect(path, &info, NULL) == BLOOMERY_OK && info.file_bytes > info.header_bytes);
  CHECK(bloomery_open(path, NULL, &opened, &error) == BLOOMERY_KEY_REQUIRED && opened == NULL);
  CHECK(error.code == BLOOMERY_KEY_REQUIRED && strstr(error.message, "use.blm") != NULL);
  options.key = (const uint8_t*)"another secret!!";
  CHECK(bloomery_open(path, &options, &opened, NULL) == BLOOMERY_WRONG_KEY);
  options.key = spec.hasher.key;
  options.load = BLOOMERY_LOAD_COPY;
  CHECK(bloomery_open(path, &options, &opened, NULL) == BLOOMERY_OK && bloomery_equal(opened, filter));
  CHECK(bloomery_insert(opened, "x", 1, NULL, NULL) == BLOOMERY_OK && !bloomery_equal(opened, filter));
  bloomery_free(opened);
  bloomery_free(filter);
  remove(path);
  strcat(path, ".lock");
  remove(path);
}

static void test_bytes(void) {
  bloomery_filter *filter = NULL, *borrowed = NULL;
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_bytes bytes;
  bloomery_error error;
  bloomery_hash key = bloomery_hash_from_u64(UINT64_C(0x0123456789ABCDEF));
  int ends[2];
  char streamed[65536];
  spec.expected_keys = 10;
  CHECK(bloomery_build(&spec, &key, 1, &filter, NULL) == BLOOMERY_OK);
  CHECK(bloomery_encode(filter, &bytes, NULL) == BLOOMERY_OK && bytes.size > 64);
  CHECK(bloomery_verify_bytes(bytes.data, bytes.size, NULL) == BLOOMERY_OK);
  CHECK(bloomery_decode(bytes.data, bytes.size, NULL, &borrowed, NULL) == BLOOMERY_OK);
  CHECK(bloomery_equal(filter, borrowed) && bloomery_may_contain_hash(borrowed, key));
  CHECK(bloomery_insert(borrowed, "x", 1, NULL, &error) == BLOOMERY_NOT_SUPPORTED);
  bloomery_free(borrowed);
  CHECK(bloomery_decode("not a filter", 12, NULL, &borrowed, &error) == BLOOMERY_NOT_A_FILTER && borrowed == NULL);
  if (pipe(ends) != 0) exit(1);
  CHECK(bloomery_write(filter, ends[1], NULL) == BLOOMERY_OK);
  CHECK(read(ends[0], streamed, sizeof streamed) == (long)bytes.size && !memcmp(streamed, bytes.data, bytes.size));
  close(ends[0]);
  close(ends[1]);
  bloomery_free_bytes(&bytes);
  CHECK(bytes.data == NULL && bytes.size == 0);
  bloomery_free_bytes(&bytes);
  bloomery_free(filter);
}

static void test_family(void) {
  bloomery_filter *growing = NULL, *small = NULL;
  bloomery_growth growth = BLOOMERY_GROWTH_INIT;
  bloomery_comparison compared = BLOOMERY_COMPARISON_INIT;
  bloomery_error error;
  growth.remember_keys = 0;
  CHECK(bloomery_create_growing(&growth, NULL, &growing, NULL) == BLOOMERY_OK);
  CHECK(bloomery_insert(growing, "key", 3, NULL, NULL) == BLOOMERY_OK && bloomery_may_contain(growing, "key", 3));
  CHECK(bloomery_compare(growing, growing, 0.9, &compared, NULL) == BLOOMERY_OK);
  CHECK(compared.keys_in_both.low <= 1 && compared.keys_in_both.high >= 1);
  CHECK(bloomery_shrink(growing, 0, &small, &error) == BLOOMERY_INVALID_ARGUMENT && small == NULL);
  CHECK(bloomery_begin_generation(growing, &error) == BLOOMERY_NOT_SUPPORTED);
  bloomery_free(growing);
}

static void test_names(void) {
  CHECK(strcmp(bloomery_version(), BLOOMERY_VERSION) == 0);
  CHECK(strcmp(bloomery_status_name(BLOOMERY_WRONG_KEY), "wrong_key") == 0);
  CHECK(strcmp(bloomery_status_name(-7), "unknown status") == 0);
  CHECK(strcmp(bloomery_kind_name(BLOOMERY_KIND_BLOCKED), "blocked") == 0 && strcmp(bloomery_kind_name(-1), "?") == 0);
  CHECK(bloomery_kind_from_name("exact") == BLOOMERY_KIND_EXACT && bloomery_kind_from_name("exactly") == 0);
  CHECK(strcmp(bloomery_hash_name(BLOOMERY_HASH_SIPHASH), "siphash") == 0 && strcmp(bloomery_hash_name(300), "?") == 0);
  CHECK(strcmp(bloomery_hash_name(BLOOMERY_HASH_AES), "aes") == 0);
  CHECK(bloomery_hash_id_from_name("murmur3") == BLOOMERY_HASH_MURMUR3 && bloomery_hash_id_from_name(NULL) == 0);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: use FOLDER (files are written there)\n");
    return 2;
  }
  test_keys(BLOOMERY_KIND_CLASSIC);
  test_keys(BLOOMERY_KIND_BLOCKED);
  test_keys(BLOOMERY_KIND_EXACT);
  test_hashes();
  test_plan();
  test_info();
  test_combine();
  test_files(argv[1]);
  test_bytes();
  test_family();
  test_names();
  if (failures == 0) printf("the C API answers as it should, version %s\n", bloomery_version());
  return failures == 0 ? 0 : 1;
}
