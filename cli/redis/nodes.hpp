// One redis-server, or a cluster of them: each command goes to the server that holds its key.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/redis/connection.hpp"
#include "cli/redis/slot.hpp"

namespace cli {

struct RedisCommand {
  std::vector<std::string_view> words;  // the second one is the key
  RedisReply reply = RedisReply();      // null after run(): none came, and `failure` says why
  std::string failure = {};
};

class RedisNodes {
 public:
  // Connects; with `cluster` reads which server holds what. Errors: Failure
  RedisNodes(const RedisAddress& first, bool cluster);

  // Sends all of them at once to each server and waits for all answers. Where slots have moved it learns so and
  // asks there. Commands of one key stay in their order.
  void run(std::span<RedisCommand> commands);

  // Of the server that holds the key.
  std::string address_of(std::string_view key) const;

 private:
  struct Node {
    std::unique_ptr<RedisConnection> connection;
    std::vector<RedisCommand*> waiting;
  };
  std::size_t node_at(const RedisAddress& address);
  std::size_t node_of(std::string_view key) const noexcept { return cluster_ ? owner_[redis_slot(key)] : 0; }
  void learn_slots();
  void exchange();
  bool redirect(RedisCommand& command, const RedisAddress& from);

  bool cluster_;
  std::vector<Node> nodes_;
  std::array<std::uint16_t, kRedisSlots> owner_ = {};  // of each slot: which of nodes_
};

}  // namespace cli
