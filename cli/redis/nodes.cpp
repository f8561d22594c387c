#include "cli/redis/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report.hpp"

namespace cli {
namespace {

constexpr int kMostMoves = 8;  // of one command, before something is wrong with the cluster

bool wants_another(const RedisReply& reply) noexcept {
  return reply && reply->is_error() && (reply->text().starts_with("MOVED ") || reply->text().starts_with("ASK "));
}

}  // namespace

RedisNodes::RedisNodes(const RedisAddress& first, bool cluster) : cluster_(cluster) {
  node_at(first);
  if (cluster) learn_slots();
}

std::string RedisNodes::address_of(std::string_view key) const {
  return nodes_[node_of(key)].connection->address().text();
}

std::size_t RedisNodes::node_at(const RedisAddress& address) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].connection->address() == address) return i;
  nodes_.push_back({std::make_unique<RedisConnection>(address), {}});
  return nodes_.size() - 1;
}

void RedisNodes::learn_slots() {
  RedisConnection& first = *nodes_[0].connection;
  const RedisAddress known = first.address();
  const RedisReply reply = first.ask(std::array<std::string_view, 2>{"CLUSTER", "SLOTS"});
  if (!reply) throw Failure{first.failure()};
  if (reply->is_error())
    throw Failure{fmt::format("{}: {}; leave \",cluster\" out where there is none", known.text(), reply->text())};
  unsigned held = 0;
  for (std::size_t i = 0; i < reply->size(); ++i) {
    const RedisValue range = (*reply)[i];  // first slot, last slot, then servers: the master first
    if (range.size() < 3 || range[2].size() < 2) continue;
    const std::string_view host = range[2][0].text();  // empty: the one that was asked
    const std::size_t node =
        node_at({host.empty() ? known.host : std::string(host), static_cast<int>(range[2][1].integer())});
    const long long last = std::min<long long>(range[1].integer(), kRedisSlots - 1);
    for (long long slot = std::max(range[0].integer(), 0LL); slot <= last; ++slot, ++held)
      owner_[static_cast<std::size_t>(slot)] = static_cast<std::uint16_t>(node);
  }
  if (held != kRedisSlots)
    throw Failure{fmt::format("{}: the cluster serves {} of {} slots; it has to be whole", known.text(), held,
                              kRedisSlots)};
}

void RedisNodes::run(std::span<RedisCommand> commands) {
  for (RedisCommand& command : commands) nodes_[node_of(command.words[1])].waiting.push_back(&command);
  exchange();
  for (int move = 0; move < kMostMoves; ++move) {
    bool moved = false;
    for (RedisCommand& command : commands) {
      if (!wants_another(command.reply)) continue;
      moved |= redirect(command, nodes_[node_of(command.words[1])].connection->address());
    }
    if (!moved) return;
    exchange();
  }
}

void RedisNodes::exchange() {
  for (Node& node : nodes_)
    for (const RedisCommand* command : node.waiting) node.connection->append(command->words);
  for (Node& node : nodes_)
    if (!node.waiting.empty()) node.connection->send();
  for (Node& node : nodes_) {
    for (RedisCommand* command : node.waiting) {
      command->reply = node.connection->receive();
      if (!command->reply) command->failure = node.connection->failure();
    }
    node.waiting.clear();
  }
}

// "MOVED SLOT HOST:PORT": there from now on; true, and the command waits for it. "ASK SLOT HOST:PORT": this once,
// and only after ASKING. Without a cluster the reply stays.
bool RedisNodes::redirect(RedisCommand& command, const RedisAddress& from) {
  if (!cluster_) return false;
  const std::string said(command.reply->text());
  std::string place = said.substr(said.rfind(' ') + 1);
  if (place.starts_with(':')) place = from.host + place;
  try {
    const std::size_t node = node_at(parse_redis_address(said, place));
    if (said.starts_with("MOVED ")) {
      owner_[redis_slot(command.words[1])] = static_cast<std::uint16_t>(node);
      nodes_[node].waiting.push_back(&command);
      return true;
    }
    RedisConnection& other = *nodes_[node].connection;
    static_cast<void>(other.ask(std::array<std::string_view, 1>{"ASKING"}));
    command.reply = other.ask(command.words);
    command.failure = other.failure();
  } catch (const Failure& failure) {
    command.reply = RedisReply();
    command.failure = failure.message;
  }
  return false;
}

}  // namespace cli
