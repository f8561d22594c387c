"""Bloom filters: have I seen this key before? Certainly not, or maybe.

>>> import bloomery
>>> seen = bloomery.Filter(expected_keys=1_000_000, fpr=0.01)
>>> seen.add("example.com/")
True
>>> "example.com/" in seen
True
>>> "something else" in seen
False

A key is a str (its UTF-8), bytes, or an int from 0 to 2**64-1 (its 8 little-endian bytes).
"""
from ._core import Comparison, Error, Estimate, Filter, Plan, __version__, kernel, plan, verify


def _restore(data: bytes) -> Filter:
    """What a pickled Filter names."""
    return Filter.from_bytes(data)


for _public in (Comparison, Estimate, Filter, Plan):
    _public.__module__ = __name__
del _public

__all__ = ["Comparison", "Error", "Estimate", "Filter", "Plan", "__version__", "kernel", "plan", "verify"]
