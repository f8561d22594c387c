#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "bloomery/bits.hpp"
#include "cli/input.hpp"
#include "cli/redis/nodes.hpp"
#include "cli/redis/shard.hpp"
#include "cli/redis/shared_set.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

using bloomery::Hash;

constexpr std::uint64_t kUsualShards = 64;
constexpr double kUnpromisedFpr = 1e-5;
constexpr std::uint64_t kMostInFilter = std::uint64_t{1} << 30;  // what BF.RESERVE takes
constexpr std::string_view kPlanMark = "bloomery-dedup 1";

std::string hash_text(const bloomery::Hasher& hasher) {
  std::string text(bloomery::name(hasher.id));
  text += ' ';
  for (const std::byte byte : hasher.stored_key()) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::string plan_text(const SharedPlan& plan, const bloomery::Hasher& hasher) {
  return fmt::format("{} shards {} expected {} fpr {} hash {}", kPlanMark, plan.shards, plan.expected, plan.fpr,
                     hash_text(hasher));
}

class RedisSet final : public SharedSet {
 public:
  RedisSet(const SharedSetOptions& options, const RedisAddress& address, bool cluster)
      : options_(options), nodes_(address, cluster) {
    agree_on_plan();
    make_filters();
    take_stock();
  }

  const bloomery::Hasher& hasher() const noexcept override { return options_.hasher; }
  bool is_exact() const noexcept override { return false; }
  std::size_t step() const noexcept override { return LineReader::kMaxBatch; }
  std::uint64_t insert(std::span<const Hash> keys, std::span<bool> fresh, double share_read) override;
  void check() override {
    if (!failure_.empty()) throw Failure{failure_};
  }
  const SharedPlan& plan() const noexcept override { return plan_; }
  SharedFigures figures() const override;

 private:
  struct Shard {
    std::string key;
    ShardLosses losses;
    std::vector<std::size_t> lines = {};                 // of the insert that is under way
    std::vector<std::array<char, 16>> fingerprints = {};
  };

  std::string where(std::string_view key) const { return nodes_.address_of(key) + ": " + std::string(key) + ": "; }
  RedisReply ask(std::vector<std::string_view> words);
  std::string read_plan();
  void agree_on_plan();
  void parse_plan(const std::string& text);
  void make_filters();
  void take_stock();
  Failure refusal(std::string_view key, std::string_view said) const;
  std::vector<RedisCommand> insertions(std::span<const Hash> keys);
  std::uint64_t take_answers(Shard& shard, const RedisCommand& insertion, std::span<bool> fresh);

  SharedSetOptions options_;
  RedisNodes nodes_;
  SharedPlan plan_;
  ShardShape shape_;
  std::vector<Shard> shards_;
  std::uint64_t memory_bytes_ = 0;
  double wrong_drops_ = 0;
  std::uint64_t unanswered_ = 0;
  std::string failure_;
};

Failure RedisSet::refusal(std::string_view key, std::string_view said) const {
  std::string why(said);
  if (said == "ERR not found")
    why = "the filter is gone, deleted or evicted, and with it what it had seen; start another --name";
  else if (said.find("filter is full") != std::string_view::npos)
    why = fmt::format("the filter is full: the set was made for {} distinct lines; "
                      "start another --name with a larger --expected", grouped(plan_.expected));
  else if (said.starts_with("WRONGTYPE"))
    why = "holds something else than this set; choose another --name";
  else if (said.starts_with("MOVED "))
    why = "the server is one of a cluster; say --redis HOST:PORT,cluster";
  else if (said.starts_with("ERR unknown command"))
    why = "the server has no BF commands; load bloomery.so there";
  return Failure{where(key) + why};
}

// One command, whose key is its second word. Errors: Failure, for whatever is no answer
RedisReply RedisSet::ask(std::vector<std::string_view> words) {
  RedisCommand command{.words = std::move(words)};
  nodes_.run({&command, 1});
  if (!command.reply) throw Failure{command.failure};
  if (command.reply->is_error()) throw refusal(command.words[1], command.reply->text());
  return std::move(command.reply);
}

std::string RedisSet::read_plan() { return std::string(ask({"GET", options_.name})->text()); }

void RedisSet::agree_on_plan() {
  std::string text = read_plan();
  if (text.empty()) {
    if (!options_.expected)
      throw Failure{where(options_.name) +
                    "there is no such set yet: --expected N says for how many distinct lines to make it"};
    const SharedPlan wanted{options_.shards.value_or(kUsualShards), *options_.expected,
                            options_.fpr.value_or(kUnpromisedFpr)};
    // Somebody else may be doing the same: one of the plans stays, and both read it.
    if (ShardShape::planned(wanted.expected, wanted.shards, wanted.fpr).capacity > kMostInFilter)
      throw Failure{fmt::format("--shards: a filter takes {} lines at most: {} lines need more shards",
                                grouped(kMostInFilter), grouped(wanted.expected))};
    ask({"SET", options_.name, plan_text(wanted, options_.hasher), "NX"});
    text = read_plan();
  }
  parse_plan(text);
}

void RedisSet::parse_plan(const std::string& text) {
  std::istringstream words(text);
  std::string mark, version, shards, expected, fpr, hash;
  words >> mark >> version >> shards >> plan_.shards >> expected >> plan_.expected >> fpr >> plan_.fpr >> hash;
  if (!words || mark + " " + version != kPlanMark || plan_.shards == 0 || plan_.expected == 0)
    throw Failure{where(options_.name) + "is no set of dedup --redis, or one of a newer version; choose another --name"};
  const auto differs = [&](std::string_view option, const std::string& is) {
    return Failure{fmt::format("{}the set was made with {} {}; give the same, or another --name", where(options_.name),
                               option, is)};
  };
  if (options_.shards && *options_.shards != plan_.shards) throw differs("--shards", fmt::format("{}", plan_.shards));
  if (options_.expected && *options_.expected != plan_.expected)
    throw differs("--expected", fmt::format("{}", plan_.expected));
  if (options_.fpr && *options_.fpr != plan_.fpr) throw differs("--fpr", fmt::format("{}", plan_.fpr));
  if (text != plan_text(plan_, options_.hasher)) {
    std::string name;
    words >> name;
    throw differs("another hash:", name + ", or another seed or key file");
  }
}

void RedisSet::make_filters() {
  shape_ = ShardShape::planned(plan_.expected, plan_.shards, plan_.fpr);
  const std::string rate = fmt::format("{}", shape_.reserved_fpr), capacity = fmt::format("{}", shape_.capacity);
  for (std::uint64_t i = 0; i < plan_.shards; ++i)
    shards_.push_back({fmt::format("{}:{{{}}}", options_.name, i), ShardLosses(shape_)});
  std::vector<RedisCommand> commands;
  for (const Shard& shard : shards_)
    commands.push_back({.words = {"BF.RESERVE", shard.key, rate, capacity, "NONSCALING", "LAYOUT", "COMPATIBLE"}});
  nodes_.run(commands);
  for (const RedisCommand& command : commands) {
    if (!command.reply) throw Failure{command.failure};
    if (command.reply->is_error() && command.reply->text() != "ERR item exists")
      throw refusal(command.words[1], command.reply->text());
  }
}

// What is in the filters already; are they those of the plan?
void RedisSet::take_stock() {
  std::vector<RedisCommand> commands;
  for (const Shard& shard : shards_) commands.push_back({.words = {"BF.INFO", shard.key}});
  nodes_.run(commands);
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    const RedisReply& reply = commands[i].reply;
    if (!reply) throw Failure{commands[i].failure};
    if (reply->is_error()) throw refusal(shards_[i].key, reply->text());
    std::uint64_t capacity = 0, items = 0;
    for (std::size_t field = 0; field + 1 < reply->size(); field += 2) {
      const auto value = static_cast<std::uint64_t>((*reply)[field + 1].integer());
      if ((*reply)[field].text() == "Capacity") capacity = value;
      if ((*reply)[field].text() == "Size") memory_bytes_ += value;
      if ((*reply)[field].text() == "Number of items inserted") items = value;
    }
    if (capacity != shape_.capacity)
      throw Failure{fmt::format("{}is a filter for {} lines, and not {} as this set has them; choose another --name",
                                where(shards_[i].key), grouped(capacity), grouped(shape_.capacity))};
    shards_[i].losses.advance(items, 0);
  }
}

// Two commands for each filter that has lines: what is new, and how many were new in all.
std::vector<RedisCommand> RedisSet::insertions(std::span<const Hash> keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Shard& shard = shards_[keys[i].hi % shards_.size()];
    shard.lines.push_back(i);
    auto* const bytes = reinterpret_cast<std::byte*>(shard.fingerprints.emplace_back().data());
    bloomery::store_le(bytes, keys[i].lo);
    bloomery::store_le(bytes + 8, keys[i].hi);
  }
  std::vector<RedisCommand> commands;
  for (const Shard& shard : shards_) {
    if (shard.lines.empty()) continue;
    commands.push_back({.words = {"BF.INSERT", shard.key, "NOCREATE", "ITEMS"}});
    for (const auto& print : shard.fingerprints) commands.back().words.emplace_back(print.data(), print.size());
    commands.push_back({.words = {"BF.CARD", shard.key}});
  }
  return commands;
}

std::uint64_t RedisSet::insert(std::span<const Hash> keys, std::span<bool> fresh, double) {
  std::vector<RedisCommand> commands = insertions(keys);
  nodes_.run(commands);
  std::fill(fresh.begin(), fresh.end(), options_.unanswered_is_fresh);
  std::uint64_t fresh_count = 0;
  auto command = commands.begin();
  for (Shard& shard : shards_) {
    if (shard.lines.empty()) continue;
    const std::uint64_t own = take_answers(shard, *command++, fresh);
    const RedisReply& count = (command++)->reply;
    wrong_drops_ += shard.losses.advance(count ? static_cast<std::uint64_t>(count->integer()) : 0, own);
    fresh_count += own;
    shard.lines.clear();
    shard.fingerprints.clear();
  }
  if (unanswered_ > 0)
    failure_ += fmt::format("; {} lines got no answer: they are not printed, and may count as seen",
                            grouped(unanswered_));
  return fresh_count;
}

// Returns how many lines are fresh.
std::uint64_t RedisSet::take_answers(Shard& shard, const RedisCommand& insertion, std::span<bool> fresh) {
  const RedisReply& reply = insertion.reply;
  std::string failed;
  std::uint64_t fresh_count = 0;
  std::size_t answered = 0;
  if (!reply) {
    failed = insertion.failure;
    unanswered_ += shard.lines.size();
  } else if (reply->is_error()) {
    failed = refusal(shard.key, reply->text()).message;
  } else {
    for (; answered < std::min(reply->size(), shard.lines.size()) && (*reply)[answered].is_integer(); ++answered) {
      fresh[shard.lines[answered]] = (*reply)[answered].integer() != 0;
      fresh_count += (*reply)[answered].integer() != 0 ? 1U : 0U;
    }
    if (answered < shard.lines.size()) {
      const std::string_view said = answered < reply->size() ? (*reply)[answered].text() : "too few answers";
      failed = refusal(shard.key, said).message;
    }
  }
  if (failure_.empty()) failure_ = failed;
  return fresh_count;
}

SharedFigures RedisSet::figures() const {
  SharedFigures figures{.memory_bytes = memory_bytes_, .expected_wrong_drops = wrong_drops_};
  for (const Shard& shard : shards_) {
    figures.estimated_distinct += shard.losses.keys();
    figures.current_fpr += shard.losses.rate() / static_cast<double>(shards_.size());
  }
  return figures;
}

}  // namespace

std::unique_ptr<SharedSet> SharedSet::open(const SharedSetOptions& options) {
  constexpr std::string_view kCluster = ",cluster";
  std::string_view server = options.server;
  const bool cluster = server.ends_with(kCluster);
  if (cluster) server.remove_suffix(kCluster.size());
  if (options.name.empty() || options.name.find_first_of("{}") != std::string::npos)
    throw Failure{"--name: \"" + options.name + "\" is no name of a set: at least one character, and no braces"};
  return std::make_unique<RedisSet>(options, parse_redis_address("--redis", server), cluster);
}

}  // namespace cli
