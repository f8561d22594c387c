// How the commands are told to servers of different age.
#include "redis/commands.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace bloomery::redis {
namespace {

// What a server was told.
struct Told {
  std::map<std::string, std::string> flags;       // of each command
  std::map<std::string, std::string> categories;  // where the server has these
  std::vector<std::string> new_categories;
} told;

Command* command_of(const std::string& name) { return reinterpret_cast<Command*>(&*told.flags.find(name)); }
const std::string& name_of(Command* command) {
  return reinterpret_cast<decltype(told.flags)::value_type*>(command)->first;
}

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    told = {};
    api.create_command = [](Context*, const char* name, CommandFunction, const char* flags, int, int, int) {
      told.flags[name] = flags;
      return kOk;
    };
    api.get_command = [](Context*, const char* name) { return command_of(name); };
    api.set_command_info = [](Command*, const CommandInfo*) { return kOk; };
  }
  void TearDown() override { api = old_api_; }

 private:
  const Api old_api_ = api;
};

TEST_F(Commands, GoWithoutCategoriesWhereTheServerHasNone) {
  ASSERT_TRUE(register_commands(nullptr));
  EXPECT_EQ(told.flags.size(), 23u);
}

TEST_F(Commands, HaveCategoriesWhereTheServerHasThem) {
  api.add_acl_category = [](Context*, const char* name) {
    told.new_categories.push_back(name);
    return kOk;
  };
  api.set_acl_categories = [](Command* command, const char* categories) {
    told.categories[name_of(command)] = categories;
    return kOk;
  };
  ASSERT_TRUE(register_commands(nullptr));
  EXPECT_EQ(told.new_categories, std::vector<std::string>{"bloom"});
  ASSERT_EQ(told.categories.size(), told.flags.size());
  for (const auto& [name, text] : told.categories) {
    const auto categories = words(text), flags = words(told.flags[name]);
    EXPECT_TRUE(categories.contains("bloom")) << name;
    EXPECT_EQ(categories.contains("write"), flags.contains("write")) << name;
    EXPECT_EQ(categories.contains("read"), flags.contains("readonly")) << name;
  }
}

TEST_F(Commands, RefusedByTheServerKeepTheModuleOut) {
  api.add_acl_category = [](Context*, const char*) { return kErr; };
  EXPECT_FALSE(register_commands(nullptr));
}

}  // namespace
}  // namespace bloomery::redis
