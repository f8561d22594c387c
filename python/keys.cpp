#include "keys.hpp"

#include <algorithm>
#include <string>

#include "errors.hpp"

namespace bloomery::python {
namespace {

std::string type_name(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

Key bytes_key(py::object bytes) {
  Key key{.keeper = std::move(bytes)};
  key.bytes = {PyBytes_AS_STRING(key.keeper.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(key.keeper.ptr()))};
  return key;
}

Key word_key(py::handle object) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!number) throw py::error_already_set();
  const unsigned long long word = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  return {.word = word, .is_word = true};
}

}  // namespace

Key key_of(py::handle object) {
  PyObject* raw = object.ptr();
  if (PyUnicode_Check(raw)) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(raw, &size);
    if (text == nullptr) throw py::error_already_set();
    return {.keeper = py::reinterpret_borrow<py::object>(object),
            .bytes = {text, static_cast<std::size_t>(size)}};
  }
  if (PyBytes_Check(raw)) return bytes_key(py::reinterpret_borrow<py::object>(object));
  if (PyByteArray_Check(raw) || PyMemoryView_Check(raw)) {
    auto copy = py::reinterpret_steal<py::object>(PyBytes_FromObject(raw));  // those may change meanwhile
    if (!copy) throw py::error_already_set();
    return bytes_key(std::move(copy));
  }
  if (PyIndex_Check(raw) && !py::isinstance<py::array>(object)) return word_key(object);
  throw py::type_error("a key is str, bytes or int, not " + type_name(object));
}

void refuse_bytes() {
  throw Failure{{Errc::not_supported, "this filter holds hashes (precomputed): its keys are int, not str or bytes"}};
}

ArrayKeys::ArrayKeys(const py::array& array) {
  const char kind = array.dtype().kind();
  if (kind != 'u' && kind != 'S')
    throw py::type_error("an array of keys is of unsigned integers or of bytes ('S'), not " +
                         py::str(array.dtype()).cast<std::string>() +
                         (kind == 'i'   ? ": use .astype('uint64')"
                          : kind == 'U' ? ": use numpy.char.encode"
                                        : ""));
  words_ = kind == 'u';
  if (words_)
    array_ = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>::ensure(array);
  else
    array_ = py::array::ensure(array, py::array::c_style);
  if (!array_) throw py::error_already_set();
  data_ = static_cast<const char*>(array_.data());
  size_ = static_cast<std::size_t>(array_.size());
  item_bytes_ = static_cast<std::size_t>(array_.itemsize());
}

py::array_t<bool> ArrayKeys::answers() const {
  return py::array_t<bool>(std::vector<py::ssize_t>(array_.shape(), array_.shape() + array_.ndim()));
}

IteratedKeys::IteratedKeys(py::handle iterable, const Hasher& hasher) : hashed_(hasher.id == HashId::precomputed) {
  if (PyUnicode_Check(iterable.ptr()) || PyBytes_Check(iterable.ptr()) || PyByteArray_Check(iterable.ptr()))
    throw py::type_error("one " + type_name(iterable) + " is a key; wanted is an iterable of keys");
  rest_ = py::iter(iterable);
}

bool IteratedKeys::next() {
  keepers_.clear();
  for (count_ = 0; count_ < kChunk && rest_ != py::iterator::sentinel(); ++rest_) {
    Key key = key_of(*rest_);
    if (hashed_ && !key.is_word) refuse_bytes();
    words_[count_] = key.word;
    views_[count_] =
        key.is_word ? std::string_view(reinterpret_cast<const char*>(&words_[count_]), sizeof(key.word)) : key.bytes;
    keepers_.push_back(std::move(key.keeper));
    ++count_;
  }
  return count_ > 0;
}

}  // namespace bloomery::python
