// Strings of our own, for a command that is replicated.
#pragma once
#include <string_view>
#include <vector>

#include "redis/commands.hpp"

namespace bloomery::redis {

class Words {
 public:
  explicit Words(Context* context) : context_(context) {}
  ~Words() {
    for (String* string : own_) api.free_string(context_, string);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  void add(std::string_view text) {
    own_.reserve(own_.size() + 1);
    own_.push_back(api.create_string(context_, text.data(), text.size()));
    all_.push_back(own_.back());
  }
  void add(String* string) { all_.push_back(string); }
  void add(Arguments strings) { all_.insert(all_.end(), strings.begin(), strings.end()); }
  void send(const char* command) { api.replicate(context_, command, "v", all_.data(), all_.size()); }

 private:
  Context* context_;
  std::vector<String*> own_, all_;
};

}  // namespace bloomery::redis
