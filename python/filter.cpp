#include "filter.hpp"

#include <pybind11/numpy.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "errors.hpp"
#include "keys.hpp"

namespace bloomery::python {
namespace {

const Hasher& hasher(const SharedFilter& shared) { return shared.filter.hasher(); }  // it never changes

bool is_array(py::handle keys) { return py::isinstance<py::array>(keys); }

// What is done with a run of keys; `out` has room for an answer to each.
constexpr auto kAsk = [](const Filter& filter, auto keys, std::span<bool> out) {
  return filter.may_contain(keys, out);
};
constexpr auto kAdd = [](Filter& filter, auto keys, std::span<bool> out) { return value(filter.insert(keys, out)); };

// work(operation): runs operation(filter) under the filter's lock, without the interpreter's.
template <class Work, class Operation>
py::array array_answers(const ArrayKeys& keys, const Hasher& how, Work&& work, const Operation& operation) {
  py::array_t<bool> answers = keys.answers();
  const std::span<bool> out(answers.mutable_data(), keys.size());
  work([&](auto& filter) {
    keys.each_chunk(how, [&](auto run, std::size_t at) { operation(filter, run, out.subspan(at, run.size())); });
  });
  return answers;
}

template <class Work, class Operation>
py::array iterated_answers(py::handle iterable, const Hasher& how, Work&& work, const Operation& operation) {
  IteratedKeys keys(iterable, how);
  std::vector<char> answers;
  std::array<bool, kChunk> out;
  while (keys.next()) {
    const std::size_t count = keys.chunk([](auto run) { return run.size(); });
    work([&](auto& filter) {
      keys.chunk([&](auto run) { operation(filter, run, std::span<bool>(out).first(count)); });
    });
    answers.insert(answers.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
  }
  py::array_t<bool> result(static_cast<py::ssize_t>(answers.size()));
  if (!answers.empty()) std::memcpy(result.mutable_data(), answers.data(), answers.size());
  return result;
}

template <class Work, class Operation>
py::array answers_to(py::handle keys, const Hasher& how, Work&& work, const Operation& operation) {
  if (!is_array(keys)) return iterated_answers(keys, how, work, operation);
  return array_answers(ArrayKeys(py::reinterpret_borrow<py::array>(keys)), how, work, operation);
}

// The hashes of all keys.
std::vector<Hash> hashes_of(py::handle keys, const Hasher& how) {
  std::vector<Hash> hashes;
  const auto take_words = [&](std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) hashes.push_back(Hash::from_u64(word));
  };
  const auto take_views = [&](std::span<const std::string_view> views) {
    hashes.resize(hashes.size() + views.size());
    how(views, std::span(hashes).last(views.size()));
  };
  const auto take_run = [&](auto run, std::size_t) {
    if constexpr (std::is_same_v<decltype(run), std::span<const std::uint64_t>>)
      take_words(run);
    else
      take_views(run);
  };
  if (is_array(keys)) {
    const ArrayKeys array(py::reinterpret_borrow<py::array>(keys));
    const py::gil_scoped_release free;
    hashes.reserve(array.size());
    array.each_chunk(how, take_run);
  } else {
    IteratedKeys iterated(keys, how);
    while (iterated.next()) iterated.chunk([&](auto run) { take_run(run, 0); });
  }
  return hashes;
}

// Runs work(a, b) without the interpreter's lock. The two may be one.
template <class Work>
auto reading_both(const SharedFilter& a, const SharedFilter& b, const Work& work) {
  const py::gil_scoped_release free;
  std::shared_lock first(a.mutex, std::defer_lock);
  if (&a == &b) {
    first.lock();
    return work(a.filter, a.filter);
  }
  std::shared_lock second(b.mutex, std::defer_lock);
  std::lock(first, second);
  return work(a.filter, b.filter);
}

Handle shared(Filter filter) { return std::make_unique<SharedFilter>(std::move(filter)); }

}  // namespace

std::optional<SecretKey> secret_of(const std::optional<py::bytes>& key) {
  if (!key) return std::nullopt;
  const std::string_view bytes = *key;
  SecretKey secret;
  if (bytes.size() != secret.size()) throw py::value_error("key: a secret key has 16 bytes");
  std::memcpy(secret.data(), bytes.data(), bytes.size());
  return secret;
}

Hasher hasher_of(const std::string& hash, std::uint64_t seed, const std::optional<py::bytes>& key) {
  const auto id = hash_id_from_name(hash);
  if (!id) throw py::value_error("hash: '" + hash + "' is none of xxh3, murmur3, siphash, aes, precomputed");
  if ((*id == HashId::siphash) != key.has_value())
    throw py::value_error(key ? "key: only siphash takes one" : "key: siphash needs a secret of 16 bytes");
  if (*id == HashId::xxh3) return Hasher::xxh3(seed);
  if (*id == HashId::aes) return Hasher::aes(seed);
  if (seed != 0) throw py::value_error("seed: only xxh3 and aes take one");
  return {.id = *id, .key = secret_of(key).value_or(SecretKey{})};
}

Kind kind_of(const std::string& name) {
  if (const auto kind = kind_from_name(name)) return *kind;
  throw py::value_error("kind: there is no '" + name + "'; blocked, classic and exact are some");
}

bool contains(const SharedFilter& shared, py::handle object) {
  const Key key = key_of(object);
  const auto lock = take<std::shared_lock<std::shared_mutex>>(shared);
  return with_key(hasher(shared), key, [&](auto what) { return shared.filter.may_contain(what); });
}

bool add(SharedFilter& shared, py::handle object) {
  const Key key = key_of(object);
  const auto lock = take<std::unique_lock<std::shared_mutex>>(shared);
  return with_key(hasher(shared), key,
                  [&](auto what) { return value(shared.filter.insert(what)) == Inserted::fresh; });
}

bool erase(SharedFilter& shared, py::handle object) {
  const Key key = key_of(object);
  const auto lock = take<std::unique_lock<std::shared_mutex>>(shared);
  return with_key(hasher(shared), key,
                  [&](auto what) { return value(shared.filter.erase(what)) == Erased::erased; });
}

std::optional<std::uint64_t> count_at_most(const SharedFilter& shared, py::handle object) {
  const Key key = key_of(object);
  const auto lock = take<std::shared_lock<std::shared_mutex>>(shared);
  return with_key(hasher(shared), key, [&](auto what) { return shared.filter.count_at_most(what); });
}

py::array contains_each(const SharedFilter& shared, py::handle keys) {
  return answers_to(keys, hasher(shared), [&](auto operation) { reading(shared, operation); }, kAsk);
}

py::array add_each(SharedFilter& shared, py::handle keys) {
  return answers_to(keys, hasher(shared), [&](auto operation) { changing(shared, operation); }, kAdd);
}

std::uint64_t update(SharedFilter& shared, py::handle keys) {
  std::uint64_t fresh = 0;
  const auto count = [&](Filter& filter, auto run, std::span<bool>) { fresh += value(filter.insert(run)); };
  if (is_array(keys)) {
    const ArrayKeys array(py::reinterpret_borrow<py::array>(keys));
    changing(shared, [&](Filter& filter) {
      array.each_chunk(hasher(shared), [&](auto run, std::size_t) { count(filter, run, {}); });
    });
  } else {
    IteratedKeys iterated(keys, hasher(shared));
    while (iterated.next())
      changing(shared, [&](Filter& filter) { iterated.chunk([&](auto run) { count(filter, run, {}); }); });
  }
  return fresh;
}

Handle build(const Spec& spec, py::handle keys) {
  const std::vector<Hash> hashes = hashes_of(keys, spec.hasher);
  Spec sized = spec;
  if (sized.expected_keys == 0) sized.expected_keys = std::max<std::uint64_t>(hashes.size(), 1);
  const py::gil_scoped_release free;
  return shared(value(Filter::build(sized, hashes)));
}

Handle united(const SharedFilter& a, const SharedFilter& b, bool intersect) {
  Handle result = reading(a, [](const Filter& filter) { return shared(value(filter.clone())); });
  unite(*result, b, intersect);
  return result;
}

void unite(SharedFilter& into, const SharedFilter& other, bool intersect) {
  if (&into == &other) return;
  const py::gil_scoped_release free;
  std::unique_lock mine(into.mutex, std::defer_lock);
  std::shared_lock its(other.mutex, std::defer_lock);
  std::lock(mine, its);
  value(intersect ? into.filter.intersect(other.filter) : into.filter.merge(other.filter));
}

bool equal(const SharedFilter& a, const SharedFilter& b) {
  return &a == &b || reading_both(a, b, [](const Filter& left, const Filter& right) { return left == right; });
}

Comparison comparison(const SharedFilter& a, const SharedFilter& b, double confidence) {
  return reading_both(a, b, [confidence](const Filter& left, const Filter& right) {
    return value(compare(left, right, confidence));
  });
}

Handle open_file(const std::filesystem::path& path, bool copy, const std::optional<py::bytes>& key) {
  const OpenOptions options{.load = copy ? Load::copy : Load::map, .key = secret_of(key)};
  const py::gil_scoped_release free;
  Result<Filter> opened = open(path, options);
  if (!opened) throw Failure{opened.error(), path};
  return shared(*std::move(opened));
}

Handle from_bytes(const py::bytes& data, const std::optional<py::bytes>& key) {
  const OpenOptions options{.load = Load::copy, .key = secret_of(key)};
  const std::string_view view = data;
  const py::gil_scoped_release free;
  const ConstBytes bytes = std::as_bytes(std::span(view.data(), view.size()));
  value(verify(bytes));  // they may come from anywhere
  return shared(value(decode(bytes, options)));
}

py::bytes to_bytes(const SharedFilter& shared) {
  const std::vector<std::byte> bytes = reading(shared, [](const Filter& filter) { return value(encode(filter)); });
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void save_file(const SharedFilter& shared, const std::filesystem::path& path) {
  reading(shared, [&](const Filter& filter) {
    if (const auto saved = save(filter, path); !saved) throw Failure{saved.error()};
  });
}

void verify_file(const std::filesystem::path& path) {
  const py::gil_scoped_release free;
  if (const auto verified = verify(path); !verified) throw Failure{verified.error(), path};
}

std::uint64_t estimated_size(const SharedFilter& shared) {
  const auto estimate = reading(shared, [](const Filter& filter) { return filter.estimated_keys(); });
  if (!estimate) {
    PyErr_SetString(PyExc_OverflowError, "every bit is set: the filter no longer tells how many keys are in");
    throw py::error_already_set();
  }
  return static_cast<std::uint64_t>(std::llround(*estimate));
}

}  // namespace bloomery::python
