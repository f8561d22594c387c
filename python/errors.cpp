#include "errors.hpp"

#include <unistd.h>

#include <exception>

#include "bloomery.h"

namespace bloomery::python {
namespace {

PyObject* error_type = nullptr;  // bloomery.Error, for as long as the interpreter lives

void raise(const Failure& failure) {
  const Error& error = failure.error;
  switch (error.code) {
    case Errc::invalid_argument: PyErr_SetString(PyExc_ValueError, error.message.c_str()); return;
    case Errc::no_memory: PyErr_SetString(PyExc_MemoryError, error.message.c_str()); return;
    case Errc::io:
      // Of a file that cannot be reached at all Python has exceptions of its own: FileNotFoundError and others.
      if (!failure.path.empty() && ::access(failure.path.c_str(), R_OK) != 0)
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, failure.path.c_str());
      else
        PyErr_SetString(PyExc_OSError, error.message.c_str());
      return;
    default: break;
  }
  const py::object instance = py::reinterpret_borrow<py::object>(error_type)(error.message);
  instance.attr("code") = bloomery_status_name(static_cast<bloomery_status>(error.code));
  PyErr_SetObject(error_type, instance.ptr());
}

}  // namespace

void add_errors(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc("bloomery.Error", "What bloomery refused; `code` names the reason: \"corrupt\".",
                                         nullptr, nullptr);
  if (error_type == nullptr) throw py::error_already_set();
  module.add_object("Error", error_type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      raise(failure);
    }
  });
}

}  // namespace bloomery::python
