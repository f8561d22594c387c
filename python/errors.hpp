// What the library reports as values becomes exceptions here.
#pragma once
#include <pybind11/pybind11.h>

#include <filesystem>
#include <utility>

#include "bloomery/result.hpp"

namespace bloomery::python {

namespace py = pybind11;

// Thrown with or without the interpreter's lock; a Python exception once it has it again.
struct Failure {
  Error error;
  std::filesystem::path path = {};  // the file it is about, if any
};

// ValueError: invalid_argument. MemoryError: no_memory. OSError: io. bloomery.Error: the others, with `code`.
void add_errors(py::module_& module);

template <class T>
T value(Result<T> result) {
  if (!result) throw Failure{result.error()};
  return *std::move(result);
}
inline void value(const Result<void>& result) {
  if (!result) throw Failure{result.error()};
}

}  // namespace bloomery::python
