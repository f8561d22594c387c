// What a C program does not show easily: structs of other versions, NULLs, long messages.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "capi/translate.hpp"

using namespace bloomery;

namespace {

bloomery_spec valid_spec() {
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  spec.expected_keys = 100;
  return spec;
}

struct Handle {
  bloomery_filter* filter = nullptr;
  ~Handle() { bloomery_free(filter); }
};

Handle made() {
  const bloomery_spec spec = valid_spec();
  Handle handle;
  EXPECT_EQ(bloomery_create(&spec, &handle.filter, nullptr), BLOOMERY_OK);
  return handle;
}

TEST(CApi, ReadsStructsOfOlderCallers) {
  bloomery_spec spec = valid_spec();
  spec.fpr = 7;  // beyond what the caller says it has: must not be read
  spec.struct_size = offsetof(bloomery_spec, fpr);
  Handle h;
  ASSERT_EQ(bloomery_create(&spec, &h.filter, nullptr), BLOOMERY_OK);
  bloomery_info info = BLOOMERY_INFO_INIT;
  ASSERT_EQ(bloomery_get_info(h.filter, &info, nullptr), BLOOMERY_OK);
  EXPECT_DOUBLE_EQ(info.planned_fpr, 0.01);
  EXPECT_EQ(info.planned_keys, 100u);
}

TEST(CApi, ReadsLongerStructsOnlyIfTheRestIsZero) {
  struct {
    bloomery_spec spec;
    std::uint64_t future;
  } newer{valid_spec(), 0};
  newer.spec.struct_size = sizeof newer;
  Handle h;
  EXPECT_EQ(bloomery_create(&newer.spec, &h.filter, nullptr), BLOOMERY_OK);
  newer.future = 1;
  bloomery_error error;
  bloomery_filter* refused = h.filter;
  EXPECT_EQ(bloomery_create(&newer.spec, &refused, &error), BLOOMERY_NOT_SUPPORTED);
  EXPECT_EQ(refused, nullptr);
  EXPECT_NE(std::string(error.message).find("spec"), std::string::npos) << error.message;
}

TEST(CApi, RefusesSizesThatNoStructHas) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{12}, std::size_t{1} << 20, ~std::size_t{7}}) {
    bloomery_spec spec = valid_spec();
    spec.struct_size = size;
    Handle h;
    EXPECT_EQ(bloomery_create(&spec, &h.filter, nullptr), BLOOMERY_INVALID_ARGUMENT) << size;
    bloomery_info info = BLOOMERY_INFO_INIT;
    info.struct_size = size;
    EXPECT_EQ(bloomery_get_info(made().filter, &info, nullptr), BLOOMERY_INVALID_ARGUMENT) << size;
  }
}

TEST(CApi, WritesNoMoreThanTheCallerHasRoomFor) {
  struct {
    bloomery_info info = BLOOMERY_INFO_INIT;
    std::uint64_t future[2] = {~0ull, ~0ull};
  } newer;
  newer.info.struct_size = sizeof newer.info + 8;
  const Handle h = made();
  ASSERT_EQ(bloomery_get_info(h.filter, &newer.info, nullptr), BLOOMERY_OK);
  EXPECT_EQ(newer.future[0], 0u);     // the unknown rest
  EXPECT_EQ(newer.future[1], ~0ull);  // not the caller's struct any more
  bloomery_info older = BLOOMERY_INFO_INIT;
  older.struct_size = offsetof(bloomery_info, planned_keys);
  older.planned_keys = 77;
  ASSERT_EQ(bloomery_get_info(h.filter, &older, nullptr), BLOOMERY_OK);
  EXPECT_EQ(older.segments, 1u);
  EXPECT_EQ(older.planned_keys, 77u);
}

TEST(CApi, RefusesOddNumbers) {
  bloomery_error error;
  const auto status_of = [&](auto change) {
    bloomery_spec spec = valid_spec();
    change(spec);
    Handle h;
    return bloomery_create(&spec, &h.filter, &error);
  };
  const auto message = [&] { return std::string(error.message); };
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.fpr = 0; }), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_NE(message().find("fpr"), std::string::npos) << message();
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.fpr = std::nan(""); }), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.kind = 0; }), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_NE(message().find("kind"), std::string::npos) << message();
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.kind = 65538; }), BLOOMERY_INVALID_ARGUMENT);  // not 2 modulo 2^16
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.hasher.id = 257; }), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_NE(message().find("hash"), std::string::npos) << message();
  EXPECT_EQ(status_of([](bloomery_spec& s) { s.zero = 1; }), BLOOMERY_INVALID_ARGUMENT);
}

TEST(CApi, RefusesPlansThatNothingPlanned) {
  Handle h;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  EXPECT_EQ(bloomery_create_planned(&plan, nullptr, &h.filter, nullptr), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_TRUE(std::isnan(bloomery_plan_fpr_at(&plan, 1)));
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  want.keys = 100;
  want.fpr = 0.01;
  ASSERT_EQ(bloomery_make_plan(&want, &plan, nullptr), BLOOMERY_OK);
  plan.fpr = std::nan("");
  EXPECT_EQ(bloomery_create_planned(&plan, nullptr, &h.filter, nullptr), BLOOMERY_INVALID_ARGUMENT);
  plan.fpr = 0.01;
  plan.shape.probes = 200;  // would read out of the tables of the layout
  EXPECT_EQ(bloomery_create_planned(&plan, nullptr, &h.filter, nullptr), BLOOMERY_INVALID_ARGUMENT);
}

TEST(CApi, TellsWhenThereIsNoNumber) {
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  want.kind = BLOOMERY_KIND_CLASSIC;
  want.bits = 8;
  want.hashes = 2;
  Handle h;
  ASSERT_EQ(bloomery_make_plan(&want, &plan, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_create_planned(&plan, nullptr, &h.filter, nullptr), BLOOMERY_OK);
  for (std::uint64_t word = 1; word < 200; ++word)
    ASSERT_EQ(bloomery_insert_u64(h.filter, word * kGolden, nullptr, nullptr), BLOOMERY_OK);
  double keys = -1;
  bloomery_error error;
  EXPECT_EQ(bloomery_estimated_keys(h.filter, &keys, &error), BLOOMERY_NO_VALUE);
  EXPECT_EQ(error.code, BLOOMERY_NO_VALUE);
  EXPECT_EQ(keys, -1);
}

TEST(CApi, CutsMessagesBetweenCharacters) {
  bloomery_error error;
  std::string text(250, 'a');
  text += "\xE2\x82\xAC and more";  // a euro sign that would end at byte 253
  EXPECT_EQ(capi::fail(&error, Errc::io, text), BLOOMERY_IO);
  EXPECT_EQ(error.message, std::string(250, 'a'));
  text = std::string(248, 'a') + "\xE2\x82\xAC and more";  // ends at 251: just fits
  capi::fail(&error, Errc::io, text);
  EXPECT_EQ(error.message, text.substr(0, 251));
  text = std::string(300, '\x80');  // not UTF-8 at all
  capi::fail(&error, Errc::io, text);
  EXPECT_EQ(std::strlen(error.message), 251u);
  EXPECT_EQ(capi::fail(nullptr, Errc::io, text), BLOOMERY_IO);
}

TEST(CApi, NamesHaveAnEnd) {  // name() gives views; the C API hands out their characters
  for (int id = 0; id <= 255; ++id)
    EXPECT_EQ(std::string_view(bloomery_hash_name(id)), name(static_cast<HashId>(id)));
  for (int kind = 0; kind <= 300; ++kind)
    EXPECT_EQ(std::string_view(bloomery_kind_name(kind)), name(static_cast<Kind>(kind)));
}

}  // namespace
