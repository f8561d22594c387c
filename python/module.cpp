// The extension bloomery._core; bloomery/__init__.pyi holds its types, docs/python.md its description.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bloomery/export.h"
#include "bloomery/kernel.hpp"
#include "bloomery/shrink.hpp"
#include "errors.hpp"
#include "filter.hpp"

using namespace bloomery::python;
using namespace pybind11::literals;
using bloomery::Filter;
using bloomery::Plan;
using Key = std::optional<py::bytes>;

namespace {

Handle handle(bloomery::Result<Filter> made) { return std::make_unique<SharedFilter>(value(std::move(made))); }

// A property: what get(filter) gives.
template <class Get>
auto of(Get get) {
  return [get](const SharedFilter& shared) { return reading(shared, get); };
}

void add_plan(py::module_& module) {
  py::class_<Plan>(module, "Plan", "The shape of a filter, and what it promises.")
      .def_property_readonly("kind", [](const Plan& plan) { return name(plan.shape.kind); })
      .def_property_readonly("hashes", [](const Plan& plan) { return plan.shape.probes; })
      .def_property_readonly("lines_per_key", [](const Plan& plan) { return plan.shape.lines_per_key; })
      .def_readonly("keys", &Plan::keys)
      .def_readonly("fpr", &Plan::fpr)
      .def_readonly("asked_fpr", &Plan::asked_fpr)
      .def_readonly("size_bytes", &Plan::size_bytes)
      .def_readonly("bits_per_key", &Plan::bits_per_key)
      .def_readonly("fpr_floor", &Plan::fpr_floor)
      .def("fpr_at", [](const Plan& plan, std::uint64_t keys) { return bloomery::expected_fpr(plan.shape, keys); },
           "keys"_a, "The rate once so many keys are in.");
  module.def(
      "plan",
      [](std::optional<std::uint64_t> keys, std::optional<double> fpr, std::optional<std::uint64_t> bits,
         std::optional<double> bits_per_key, std::optional<unsigned> hashes, std::optional<unsigned> lines_per_key,
         std::optional<unsigned> cell_bits, const std::string& kind) {
        return value(bloomery::plan({.kind = kind_of(kind), .keys = keys, .fpr = fpr, .bits = bits,
                                     .bits_per_key = bits_per_key, .hashes = hashes, .lines_per_key = lines_per_key,
                                     .cell_bits = cell_bits}));
      },
      "keys"_a = py::none(), "fpr"_a = py::none(), py::kw_only(), "bits"_a = py::none(), "bits_per_key"_a = py::none(),
      "hashes"_a = py::none(), "lines_per_key"_a = py::none(), "cell_bits"_a = py::none(), "kind"_a = "blocked",
      "Solves for what is not given: keys and one of fpr, bits, bits_per_key; or bits and fpr; or bits and hashes.");
}

using Class = py::class_<SharedFilter, Handle>;

void add_makers(Class& filter) {
  filter
      .def(py::init([](std::uint64_t expected_keys, double fpr, const std::string& kind, const std::string& hash,
                       std::uint64_t seed, const Key& key) {
             return handle(Filter::create({.kind = kind_of(kind), .expected_keys = expected_keys, .fpr = fpr,
                                           .hasher = hasher_of(hash, seed, key)}));
           }),
           "expected_keys"_a, "fpr"_a = 0.01, py::kw_only(), "kind"_a = "blocked", "hash"_a = "xxh3", "seed"_a = 0,
           "key"_a = py::none())
      .def_static(
          "build",
          [](py::handle keys, double fpr, std::uint64_t expected_keys, const std::string& kind,
             const std::string& hash, std::uint64_t seed, const Key& key) {
            return build({.kind = kind_of(kind), .expected_keys = expected_keys, .fpr = fpr,
                          .hasher = hasher_of(hash, seed, key)}, keys);
          },
          "keys"_a, "fpr"_a = 0.01, py::kw_only(), "expected_keys"_a = 0, "kind"_a = "blocked", "hash"_a = "xxh3",
          "seed"_a = 0, "key"_a = py::none(), "A filter of these keys, of any kind.")
      .def_static(
          "from_plan",
          [](const Plan& plan, const std::string& hash, std::uint64_t seed, const Key& key) {
            return handle(Filter::create(plan, hasher_of(hash, seed, key)));
          },
          "plan"_a, py::kw_only(), "hash"_a = "xxh3", "seed"_a = 0, "key"_a = py::none(), "An empty filter.")
      .def_static(
          "growing",
          [](double fpr, std::uint64_t remember_keys, double most_memory, const std::string& hash, std::uint64_t seed,
             const Key& key) {
            return handle(Filter::create({.fpr = fpr, .remember_keys = remember_keys, .most_memory = most_memory},
                                         hasher_of(hash, seed, key)));
          },
          "fpr"_a = 0.01, py::kw_only(), "remember_keys"_a = bloomery::Growth{}.remember_keys,
          "most_memory"_a = bloomery::Growth{}.most_memory, "hash"_a = "xxh3", "seed"_a = 0, "key"_a = py::none(),
          "An empty filter for any number of keys: exact while they are few.")
      .def_static("open", &open_file, "path"_a, py::kw_only(), "copy"_a = false, "key"_a = py::none(),
                  "Opens a file: mapped and read-only, or with copy=True a writable copy.")
      .def_static("from_bytes", &from_bytes, "data"_a, py::kw_only(), "key"_a = py::none(),
                  "A writable copy of what to_bytes gave; every checksum is checked.")
      .def("copy", of([](const Filter& from) { return handle(from.clone()); }), "A writable copy.")
      .def("__copy__", of([](const Filter& from) { return handle(from.clone()); }))
      .def("__deepcopy__", [](const SharedFilter& from, py::handle) {
        return reading(from, [](const Filter& f) { return handle(f.clone()); });
      })
      .def("to_bytes", &to_bytes, "The file form.")
      .def("save", &save_file, "path"_a, "Writes a file; at any moment the path holds the old one or the new, whole.")
      .def("__reduce__", [](const SharedFilter& from) {
        if (from.filter.hasher().secret())
          throw py::type_error("not pickled: the secret key would be in it; use to_bytes and from_bytes(..., key=...)");
        return py::make_tuple(py::module_::import("bloomery").attr("_restore"), py::make_tuple(to_bytes(from)));
      });
}

void add_comparison(py::module_& module) {
  using bloomery::Comparison, bloomery::Estimate;
  py::class_<Estimate>(module, "Estimate", "A number that is not known, and bounds between which it probably lies.")
      .def_readonly("value", &Estimate::value)
      .def_readonly("low", &Estimate::low)
      .def_readonly("high", &Estimate::high)
      .def("__repr__", [](const Estimate& e) {
        return py::str("<bloomery.Estimate {:.6g}, {:.6g} to {:.6g}>").format(e.value, e.low, e.high);
      });
  py::class_<Comparison>(module, "Comparison", "What two filters have in common.")
      .def_readonly("keys_a", &Comparison::keys_a)
      .def_readonly("keys_b", &Comparison::keys_b)
      .def_readonly("keys_in_either", &Comparison::keys_in_either)
      .def_readonly("keys_in_both", &Comparison::keys_in_both)
      .def_readonly("jaccard", &Comparison::jaccard);
}

void add_operations(Class& filter) {
  filter.def("__contains__", &contains, "key"_a)
      .def("contains", &contains_each, "keys"_a, "An answer for each of many keys, as a numpy array of bool.")
      .def("add", &add, "key"_a, "Puts a key in; True if it was new, False if it may have been in already.")
      .def("add_each", &add_each, "keys"_a, "As add, for many keys: a numpy array of bool.")
      .def("update", &update, "keys"_a, "Puts many keys in: a numpy array or any iterable; says how many were new.")
      .def("erase", &erase, "key"_a, "Counting filters: takes a key out that is in; False if it certainly was not.")
      .def("count_at_most", &count_at_most, "key"_a, "How often a key is in, at most; None if nobody knows.")
      .def("begin_generation",
           [](SharedFilter& shared) { changing(shared, [](Filter& f) { value(f.begin_generation()); }); },
           "Windowed filters: forgets the oldest generation now.")
      .def("shrink", [](const SharedFilter& from, std::uint64_t by) {
        return reading(from, [by](const Filter& f) { return handle(bloomery::shrink(f, by)); });
      }, "by"_a = 2, "A writable filter of the same keys, 1 / by of the size, at a higher rate.")
      .def("compare", &comparison, "other"_a, "confidence"_a = 0.95, "What two filters have in common, from their bits.")
      .def("to_plain", of([](const Filter& f) { return handle(f.to_plain()); }), "The same answers without counters.")
      .def("clear", [](SharedFilter& shared) { changing(shared, [](Filter& f) { value(f.clear()); }); },
           "Forgets all keys.")
      .def("__or__", [](const SharedFilter& a, const SharedFilter& b) { return united(a, b, false); }, py::is_operator())
      .def("__and__", [](const SharedFilter& a, const SharedFilter& b) { return united(a, b, true); }, py::is_operator())
      .def("__ior__", [](py::object self, const SharedFilter& other) {
        unite(self.cast<SharedFilter&>(), other, false);
        return self;
      }, py::is_operator())
      .def("__iand__", [](py::object self, const SharedFilter& other) {
        unite(self.cast<SharedFilter&>(), other, true);
        return self;
      }, py::is_operator())
      .def("__eq__", &equal, py::is_operator())
      .def("__len__", &estimated_size)
      .def("__bool__", of([](const Filter& f) { return f.counts().offered > 0 || f.fill_ratio() > 0; }))
      .def("__repr__", of([](const Filter& f) {
        return "<bloomery.Filter " + std::string(name(f.kind())) + ", " + std::string(name(f.hasher().id)) + ", " +
               std::to_string(f.size_bytes()) + " bytes, " + std::to_string(f.counts().inserted) + " keys added>";
      }));
  filter.attr("__hash__") = py::none();  // it changes
}

void add_facts(Class& filter) {
  filter.def_property_readonly("kind", of([](const Filter& f) { return name(f.kind()); }))
      .def_property_readonly("hash", of([](const Filter& f) { return name(f.hasher().id); }))
      .def_property_readonly("planned_keys", of([](const Filter& f) { return f.planned_keys(); }))
      .def_property_readonly("planned_fpr", of([](const Filter& f) { return f.planned_fpr(); }))
      .def_property_readonly("expected_fpr", of([](const Filter& f) { return f.expected_fpr(); }))
      .def_property_readonly("current_fpr", of([](const Filter& f) { return f.current_fpr(); }))
      .def_property_readonly("fill_ratio", of([](const Filter& f) { return f.fill_ratio(); }))
      .def_property_readonly("estimated_keys", of([](const Filter& f) { return f.estimated_keys(); }))
      .def_property_readonly("keys_inserted", of([](const Filter& f) { return f.counts().inserted; }))
      .def_property_readonly("keys_offered", of([](const Filter& f) { return f.counts().offered; }))
      .def_property_readonly("segments", of([](const Filter& f) { return f.segments().size(); }))
      .def_property_readonly("size_bytes", of([](const Filter& f) { return f.size_bytes(); }))
      .def_property_readonly("memory_bytes", of([](const Filter& f) { return f.memory_bytes(); }))
      .def_property_readonly("read_only", of([](const Filter& f) { return f.read_only(); }));
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.attr("__version__") = BLOOMERY_VERSION;
  add_errors(module);
  add_plan(module);
  add_comparison(module);
  Class filter(module, "Filter", "A set that answers \"certainly not\" or \"maybe\"; see bloomery's own text.");
  add_makers(filter);
  add_operations(filter);
  add_facts(filter);
  module.def("verify", &verify_file, "path"_a, "Checks every checksum of a file; raises Error where one is wrong.");
  module.def("kernel", [] { return bloomery::active_kernel(); }, "The instruction set in use: avx512, ...");
}
