#include "cli/redis/connection.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "cli/report.hpp"

namespace cli {
namespace {

constexpr timeval kConnectTimeout = {10, 0};
constexpr timeval kAnswerTimeout = {60, 0};

// hiredis writes to a socket that may be closed: the signal of that must not end the program in silence, as
// it does where standard output is closed.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &former_);
  }
  ~WithoutSigpipe() {
    const timespec at_once = {};
    ::sigtimedwait(&sigpipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t sigpipe_, former_;
};

}  // namespace

std::string RedisAddress::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

RedisAddress parse_redis_address(std::string_view argument, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  RedisAddress address;
  if (colon != std::string_view::npos && colon > 0) {
    std::string_view host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
    if (read.ec == std::errc() && read.ptr == end && address.port >= 1 && address.port <= 65535) address.host = host;
  }
  if (address.host.empty())
    throw Failure{fmt::format("{}: \"{}\" is not HOST:PORT, with a port from 1 to 65535", argument, text)};
  return address;
}

bool RedisValue::is_null() const noexcept { return raw_->type == REDIS_REPLY_NIL; }
bool RedisValue::is_error() const noexcept { return raw_->type == REDIS_REPLY_ERROR; }
bool RedisValue::is_integer() const noexcept { return raw_->type == REDIS_REPLY_INTEGER; }
long long RedisValue::integer() const noexcept { return is_integer() ? raw_->integer : 0; }
std::size_t RedisValue::size() const noexcept { return raw_->type == REDIS_REPLY_ARRAY ? raw_->elements : 0; }
RedisValue RedisValue::operator[](std::size_t i) const noexcept { return RedisValue(raw_->element[i]); }
std::string_view RedisValue::text() const noexcept {
  if (raw_->str == nullptr) return {};
  return {raw_->str, static_cast<std::size_t>(raw_->len)};
}

void RedisReply::Free::operator()(redisReply* raw) const noexcept { freeReplyObject(raw); }

void RedisConnection::Close::operator()(redisContext* context) const noexcept { redisFree(context); }

RedisConnection::RedisConnection(const RedisAddress& address)
    : address_(address), context_(redisConnectWithTimeout(address.host.c_str(), address.port, kConnectTimeout)) {
  if (!context_) throw Failure{address.text() + ": no memory for a connection"};
  if (context_->err != 0)
    throw Failure{fmt::format("{}: {}; does a redis-server run there?", address.text(), context_->errstr)};
  redisSetTimeout(context_.get(), kAnswerTimeout);
  const char* const password = std::getenv("REDISCLI_AUTH");
  if (password == nullptr) return;
  const RedisReply reply = ask(std::array<std::string_view, 2>{"AUTH", password});
  if (!reply || reply->is_error())
    throw Failure{fmt::format("{}: REDISCLI_AUTH was refused: {}", address.text(), reply ? reply->text() : failure_)};
}

void RedisConnection::append(std::span<const std::string_view> words) {
  if (!failure_.empty()) return;
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  texts.reserve(words.size());
  sizes.reserve(words.size());
  for (const std::string_view word : words) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data()) != REDIS_OK)
    fail(context_->errstr);
}

void RedisConnection::send() {
  const WithoutSigpipe guard;
  for (int done = 0; failure_.empty() && done == 0;)
    if (redisBufferWrite(context_.get(), &done) != REDIS_OK) fail(context_->errstr);
}

RedisReply RedisConnection::receive() {
  if (!failure_.empty()) return RedisReply();
  const WithoutSigpipe guard;
  void* reply = nullptr;
  if (redisGetReply(context_.get(), &reply) != REDIS_OK) fail(context_->errstr);
  return RedisReply(static_cast<redisReply*>(reply));
}

void RedisConnection::fail(std::string_view why) {
  failure_ = fmt::format("{}: the connection is lost ({})", address_.text(), why);
}

}  // namespace cli
