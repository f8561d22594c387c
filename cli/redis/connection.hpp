// One connection to a redis-server, by way of hiredis.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct redisContext;
struct redisReply;

namespace cli {

struct RedisAddress {
  std::string host;
  int port = 0;

  std::string text() const;
  bool operator==(const RedisAddress&) const = default;
};

// "HOST:PORT", "[::1]:PORT". Errors: Failure, naming `argument`
RedisAddress parse_redis_address(std::string_view argument, std::string_view text);

// What a server said, or a part of that.
class RedisValue {
 public:
  explicit RedisValue(const redisReply* raw = nullptr) noexcept : raw_(raw) {}

  // Null: no answer came. REQUIRES for everything else: it did.
  explicit operator bool() const noexcept { return raw_ != nullptr; }
  bool is_null() const noexcept;           // the server's nil
  bool is_error() const noexcept;
  bool is_integer() const noexcept;
  long long integer() const noexcept;      // 0 if it is none
  std::string_view text() const noexcept;  // of strings and errors; empty if it is neither
  std::size_t size() const noexcept;       // of an array; 0 if it is none
  RedisValue operator[](std::size_t i) const noexcept;  // REQUIRES: i < size()

 private:
  const redisReply* raw_;
};

class RedisReply {
 public:
  explicit RedisReply(redisReply* raw = nullptr) noexcept : owner_(raw), value_(raw) {}
  explicit operator bool() const noexcept { return owner_ != nullptr; }
  const RedisValue& operator*() const noexcept { return value_; }  // valid as long as this lives
  const RedisValue* operator->() const noexcept { return &value_; }

 private:
  struct Free {
    void operator()(redisReply* raw) const noexcept;
  };
  std::unique_ptr<redisReply, Free> owner_;
  RedisValue value_;
};

class RedisConnection {
 public:
  // Says who it is if the environment has REDISCLI_AUTH, a password. Errors: Failure
  explicit RedisConnection(const RedisAddress& address);

  const RedisAddress& address() const noexcept { return address_; }
  const std::string& failure() const noexcept { return failure_; }  // empty: it is in order

  // Commands go into a buffer, which send() or the first receive() sends. Answers come in their order, one
  // for each. Null: the connection is lost, and failure() says why.
  void append(std::span<const std::string_view> words);
  void send();
  RedisReply receive();

  RedisReply ask(std::span<const std::string_view> words) {
    append(words);
    return receive();
  }

 private:
  struct Close {
    void operator()(redisContext* context) const noexcept;
  };
  void fail(std::string_view why);

  RedisAddress address_;
  std::string failure_;
  std::unique_ptr<redisContext, Close> context_;
};

}  // namespace cli
