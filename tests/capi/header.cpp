// bloomery.h from C++, as the first include of a program, with every INIT macro.
#include <bloomery.h>

int main() {
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  [[maybe_unused]] const bloomery_plan_request request = BLOOMERY_PLAN_REQUEST_INIT;
  [[maybe_unused]] const bloomery_plan plan = BLOOMERY_PLAN_INIT;
  [[maybe_unused]] const bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  [[maybe_unused]] const bloomery_info info = BLOOMERY_INFO_INIT;
  [[maybe_unused]] const bloomery_segment segment = BLOOMERY_SEGMENT_INIT;
  [[maybe_unused]] const bloomery_open_options options = BLOOMERY_OPEN_OPTIONS_INIT;
  [[maybe_unused]] const bloomery_file_info file_info = BLOOMERY_FILE_INFO_INIT;
  [[maybe_unused]] const bloomery_growth growth = BLOOMERY_GROWTH_INIT;
  [[maybe_unused]] const bloomery_comparison comparison = BLOOMERY_COMPARISON_INIT;
  spec.expected_keys = 10;
  bloomery_filter* filter = nullptr;
  if (bloomery_create(&spec, &filter, nullptr) != BLOOMERY_OK) return 1;
  const bool inserted = bloomery_insert(filter, "key", 3, nullptr, nullptr) == BLOOMERY_OK;
  const bool found = bloomery_may_contain(filter, "key", 3);
  bloomery_free(filter);
  return inserted && found ? 0 : 1;
}
