// A Filter that several Python threads may hold: batches run without the interpreter's lock, under the filter's own.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include "bloomery/compare.hpp"
#include "bloomery/file.hpp"
#include "bloomery/filter.hpp"

namespace bloomery::python {

namespace py = pybind11;

struct SharedFilter {
  explicit SharedFilter(Filter made) : filter(std::move(made)) {}
  Filter filter;
  mutable std::shared_mutex mutex = {};
};
using Handle = std::unique_ptr<SharedFilter>;

// Takes the filter's lock for something short. Nobody waits for it while holding the interpreter's lock: whoever has
// it may need the interpreter next.
template <class Lock>
Lock take(const SharedFilter& shared) {
  Lock lock(shared.mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    const py::gil_scoped_release free;
    lock.lock();
  }
  return lock;
}

// Runs work(filter) without the interpreter's lock.
template <class Work>
auto reading(const SharedFilter& shared, Work&& work) {
  const py::gil_scoped_release free;
  const std::shared_lock lock(shared.mutex);
  return work(shared.filter);
}
template <class Work>
auto changing(SharedFilter& shared, Work&& work) {
  const py::gil_scoped_release free;
  const std::unique_lock lock(shared.mutex);
  return work(shared.filter);
}

// How keys are hashed, as the arguments hash, seed and key say it. Errors: ValueError.
Hasher hasher_of(const std::string& hash, std::uint64_t seed, const std::optional<py::bytes>& key);
Kind kind_of(const std::string& name);
std::optional<SecretKey> secret_of(const std::optional<py::bytes>& key);

// Keys: one, an iterable of them, or a numpy array.
bool contains(const SharedFilter& shared, py::handle key);
bool add(SharedFilter& shared, py::handle key);
bool erase(SharedFilter& shared, py::handle key);
std::optional<std::uint64_t> count_at_most(const SharedFilter& shared, py::handle key);
py::array contains_each(const SharedFilter& shared, py::handle keys);
py::array add_each(SharedFilter& shared, py::handle keys);
std::uint64_t update(SharedFilter& shared, py::handle keys);
Handle build(const Spec& spec, py::handle keys);

// Of two filters.
Handle united(const SharedFilter& a, const SharedFilter& b, bool intersect);
void unite(SharedFilter& into, const SharedFilter& other, bool intersect);
bool equal(const SharedFilter& a, const SharedFilter& b);
Comparison comparison(const SharedFilter& a, const SharedFilter& b, double confidence);

// Files and bytes.
Handle open_file(const std::filesystem::path& path, bool copy, const std::optional<py::bytes>& key);
Handle from_bytes(const py::bytes& data, const std::optional<py::bytes>& key);
py::bytes to_bytes(const SharedFilter& shared);
void save_file(const SharedFilter& shared, const std::filesystem::path& path);
void verify_file(const std::filesystem::path& path);

// About how many keys are in. Errors: OverflowError when every bit is set.
std::uint64_t estimated_size(const SharedFilter& shared);

}  // namespace bloomery::python
