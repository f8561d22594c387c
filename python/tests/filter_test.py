"""bloomery.Filter from Python, held against sets."""
import copy
import os
import pathlib
import pickle
import tempfile
import threading
import unittest

import numpy

import bloomery

WORDS = [f"word {i}" for i in range(5000)]


class Keys(unittest.TestCase):
    def test_of_every_type(self):
        seen = bloomery.Filter(1000, 1e-9)
        for key in ["text", "мир", b"bytes\0more", bytearray(b"array"), memoryview(b"view"), 0, 2**64 - 1, "", numpy.uint64(9)]:
            self.assertTrue(seen.add(key))
            self.assertFalse(seen.add(key))
            self.assertIn(key, seen)
        self.assertIn("мир".encode(), seen)
        self.assertIn((0).to_bytes(8, "little"), seen)
        self.assertIn(numpy.int32(9), seen)
        self.assertNotIn("stranger", seen)

    def test_what_is_none(self):
        seen = bloomery.Filter(10)
        for wrong in [None, 1.5, ["a"], ("a",), numpy.arange(3)]:
            with self.assertRaises(TypeError):
                seen.add(wrong)
            with self.assertRaises(TypeError):
                wrong in seen
        for wrong in [-1, 2**64]:
            with self.assertRaises(OverflowError):
                seen.add(wrong)
        with self.assertRaises(UnicodeEncodeError):
            seen.add("\udc80")
        self.assertEqual(seen.keys_offered, 0)

    def test_a_string_is_not_many(self):
        seen = bloomery.Filter(10)
        for wrong in ["word", b"word", 7]:
            for method in [seen.update, seen.contains, seen.add_each, bloomery.Filter.build]:
                with self.assertRaises(TypeError):
                    method(wrong)

    def test_the_same_one_by_one_and_together(self):
        one, together = bloomery.Filter(5000), bloomery.Filter(5000)
        fresh = [one.add(w) for w in WORDS + WORDS[:10]]
        self.assertEqual(together.add_each(iter(WORDS + WORDS[:10])).tolist(), fresh)
        self.assertEqual(one, together)
        strangers = [f"stranger {i}" for i in range(3000)]
        self.assertEqual(one.contains(strangers).tolist(), [s in one for s in strangers])
        self.assertTrue(one.contains(WORDS).all())
        self.assertEqual(one.contains([]).shape, (0,))

    def test_an_iterable_that_fails(self):
        def failing():
            yield "before"
            raise RuntimeError("mine")
        with self.assertRaisesRegex(RuntimeError, "mine"):
            bloomery.Filter(10).update(failing())


class Arrays(unittest.TestCase):
    def test_of_words(self):
        keys = numpy.random.default_rng(1).integers(0, 2**64, 5000, dtype=numpy.uint64)
        seen, one = bloomery.Filter(5000), bloomery.Filter(5000)
        self.assertEqual(seen.update(keys), sum(one.add(int(k)) for k in keys))
        self.assertEqual(seen, one)
        self.assertTrue(seen.contains(keys).all())
        others = keys ^ numpy.uint64(1)
        self.assertEqual(seen.contains(others).tolist(), [int(k) in seen for k in others])

    def test_of_other_forms(self):
        keys = numpy.arange(6000, dtype=numpy.uint64)
        seen = bloomery.Filter(6000, 1e-6)
        seen.update(keys)
        for form in [keys[::3], keys.reshape(60, 100), keys.reshape(60, 100).T, keys.astype(">u8"),
                     keys.astype(numpy.uint16), keys[:0], numpy.array(7, dtype=numpy.uint64)]:
            answers = seen.contains(form)
            self.assertEqual(answers.shape, form.shape)
            self.assertEqual(answers.dtype, numpy.bool_)
            self.assertTrue(answers.all())
        self.assertLess(seen.contains(keys + numpy.uint64(6000)).sum(), 5)

    def test_of_bytes(self):
        keys = numpy.array([w.encode() for w in WORDS])
        self.assertEqual(keys.dtype.kind, "S")
        seen, one = bloomery.Filter(5000), bloomery.Filter(5000)
        self.assertEqual(seen.add_each(keys).tolist(), [one.add(w) for w in WORDS])
        self.assertEqual(seen, one)
        self.assertTrue(seen.contains(keys[::-2]).all())
        self.assertTrue(seen.contains(numpy.array([b"word 1"], dtype="S300")).all())

    def test_of_what_is_no_key(self):
        seen = bloomery.Filter(10)
        for wrong in [numpy.arange(3), numpy.arange(3.0), numpy.array(["a"]), numpy.array([True])]:
            with self.assertRaisesRegex(TypeError, "an array of keys is of unsigned integers or of bytes"):
                seen.update(wrong)

    def test_of_objects_is_an_error_too(self):
        with self.assertRaises(TypeError):
            bloomery.Filter(10).update(numpy.array(["a", 1], dtype=object))

    def test_of_hashes(self):
        keys = numpy.random.default_rng(2).integers(0, 2**64, 1000, dtype=numpy.uint64)
        seen, one = bloomery.Filter(1000, hash="precomputed"), bloomery.Filter(1000, hash="precomputed")
        seen.update(keys)
        one.update(int(k) for k in keys)
        self.assertEqual(seen, one)
        self.assertTrue(seen.contains(keys).all() and seen.contains(keys.tolist()).all() and int(keys[0]) in seen)
        for wrong in ["text", b"bytes"]:
            for ask in [seen.__contains__, seen.add, lambda k: seen.contains([k]),
                        lambda k: seen.contains(numpy.array([b"x"]))]:
                with self.assertRaises(bloomery.Error) as caught:
                    ask(wrong)
                self.assertEqual(caught.exception.code, "not_supported")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "seen.blm"
        self.seen = bloomery.Filter.build(WORDS, 0.001)

    def test_round_trip(self):
        for path in [self.path, str(self.path)]:
            self.seen.save(path)
            bloomery.verify(path)
            mapped = bloomery.Filter.open(path)
            self.assertEqual(mapped, self.seen)
            self.assertTrue(mapped.read_only)
            with self.assertRaises(bloomery.Error) as caught:
                mapped.add("more")
            self.assertEqual(caught.exception.code, "not_supported")
            writable = bloomery.Filter.open(path, copy=True)
            self.assertTrue(writable.add("more"))

    def test_pickle_and_copies(self):
        for again in [pickle.loads(pickle.dumps(self.seen)), copy.copy(self.seen), copy.deepcopy(self.seen),
                      self.seen.copy(), bloomery.Filter.from_bytes(self.seen.to_bytes())]:
            self.assertEqual(again, self.seen)
            again.add("more")
            self.assertNotEqual(again, self.seen)

    def test_secret_keys(self):
        secret = bytes(range(16))
        hidden = bloomery.Filter(100, hash="siphash", key=secret)
        hidden.add("a")
        hidden.save(self.path)
        self.assertIn("a", bloomery.Filter.open(self.path, key=secret))
        with self.assertRaisesRegex(TypeError, "secret"):
            pickle.dumps(hidden)
        for key, code in [(None, "key_required"), (bytes(16), "wrong_key")]:
            with self.assertRaises(bloomery.Error) as caught:
                bloomery.Filter.open(self.path, key=key)
            self.assertEqual(caught.exception.code, code)

    def test_what_cannot_be_opened(self):
        with self.assertRaises(FileNotFoundError):
            bloomery.Filter.open(self.path)
        with self.assertRaises(OSError):
            self.seen.save(self.path.parent / "no" / "folder.blm")
        self.path.write_bytes(b"something else, and long enough")
        with self.assertRaisesRegex(bloomery.Error, "seen.blm"):
            bloomery.Filter.open(self.path)
        damaged = bytearray(self.seen.to_bytes())
        damaged[-1] ^= 1
        for bad in [bytes(damaged), b"", bytes(damaged[:100])]:
            with self.assertRaises(bloomery.Error):
                bloomery.Filter.from_bytes(bad)


class Sets(unittest.TestCase):
    def test_union_and_intersection(self):
        left, right = bloomery.Filter(5000), bloomery.Filter(5000)
        left.update(WORDS[:3000])
        right.update(WORDS[2000:])
        both = left | right
        self.assertTrue(both.contains(WORDS).all())
        shared = left & right
        self.assertTrue(shared.contains(WORDS[2000:3000]).all())
        self.assertLess(shared.contains(WORDS[:2000]).sum(), 200)
        before = id(left)
        left |= right
        self.assertEqual((id(left), left), (before, both))
        left &= left
        self.assertEqual(left, both)
        with self.assertRaises(TypeError):
            left | {"a"}
        with self.assertRaises(bloomery.Error) as caught:
            left | bloomery.Filter(77)
        self.assertEqual(caught.exception.code, "incompatible")

    def test_how_many(self):
        for kind, slack in [("blocked", 150), ("classic", 150), ("exact", 0)]:
            seen = bloomery.Filter(5000, kind=kind)
            self.assertEqual((len(seen), bool(seen)), (0, False))
            seen.update(WORDS)
            self.assertAlmostEqual(len(seen), 5000, delta=slack)
            self.assertTrue(seen)
            seen.clear()
            self.assertNotIn(WORDS[0], seen)
        full = bloomery.Filter.from_plan(bloomery.plan(bits=8, hashes=1, kind="classic"))
        full.update(WORDS)
        self.assertIsNone(full.estimated_keys)
        with self.assertRaises(OverflowError):
            len(full)

    def test_facts(self):
        seen = bloomery.Filter(5000, 0.01)
        seen.update(WORDS + WORDS)
        self.assertEqual((seen.kind, seen.hash, seen.planned_keys, seen.keys_offered), ("blocked", "xxh3", 5000, 10000))
        self.assertLess(abs(seen.current_fpr - 0.01), 0.005)
        self.assertIn("blocked", repr(seen))
        with self.assertRaises(TypeError):
            hash(seen)

    def test_plans(self):
        article = bloomery.plan(10**7, 1e-3, kind="classic")
        self.assertEqual(article.hashes, 10)
        self.assertLessEqual(article.fpr, 1e-3)
        self.assertGreater(article.fpr_at(2 * 10**7), 1e-3)
        for wrong in [dict(keys=0, fpr=0.1), dict(keys=1, fpr=1.0), dict(), dict(keys=9, fpr=0.1, kind="none")]:
            with self.assertRaises(ValueError):
                bloomery.plan(**wrong)
        for wrong in [dict(fpr=2.0), dict(hash="md5"), dict(hash="siphash"), dict(key=bytes(16)),
                      dict(hash="siphash", key=b"short"), dict(kind="?"), dict(hash="murmur3", seed=1)]:
            with self.assertRaises(ValueError):
                bloomery.Filter(100, **wrong)


class Kinds(unittest.TestCase):
    def test_counting(self):
        seen = bloomery.Filter(5000, kind="counting")
        seen.update(WORDS)
        seen.add(WORDS[0])
        self.assertEqual(seen.count_at_most(WORDS[0]), 2)
        self.assertTrue(seen.to_plain().contains(WORDS).all())
        self.assertTrue(all(seen.erase(w) for w in WORDS))
        self.assertIn(WORDS[0], seen)
        self.assertTrue(seen.erase(WORDS[0]))
        self.assertFalse(seen.erase(WORDS[0]))
        with self.assertRaises(bloomery.Error):
            bloomery.Filter(10).erase("a")

    def test_growing(self):
        stream = bloomery.Filter.growing(0.01, remember_keys=1000, hash="aes", seed=7)
        stream.update(WORDS[:1000])
        self.assertEqual((stream.kind, stream.hash), ("exact", "aes"))
        stream.update(WORDS)
        self.assertEqual(stream.kind, "blocked")
        self.assertTrue(stream.contains(WORDS).all())
        self.assertLessEqual(stream.expected_fpr, 0.01)
        self.assertEqual(bloomery.Filter.from_bytes(stream.to_bytes()), stream)
        for wrong in [{"fpr": 0}, {"fpr": 1}, {"most_memory": 0.5}, {"seed": 1, "hash": "murmur3"}]:
            with self.assertRaises(ValueError):
                bloomery.Filter.growing(**wrong)

    def test_windowed(self):
        recent = bloomery.Filter(1000, 1e-6, kind="windowed")
        recent.add("old")
        for _ in range(5):
            self.assertIn("old", recent)
            recent.begin_generation()
        self.assertNotIn("old", recent)
        with self.assertRaises(bloomery.Error):
            bloomery.Filter(10).begin_generation()

    def test_smaller_and_compared(self):
        one, other = bloomery.Filter(4096, 1e-6), bloomery.Filter(4096, 1e-6)
        one.update(WORDS[:3000])
        other.update(WORDS[2000:4000])
        found = one.compare(other)
        for estimate, truth in [(found.keys_a, 3000), (found.keys_b, 2000), (found.keys_in_both, 1000),
                                (found.keys_in_either, 4000), (found.jaccard, 0.25)]:
            self.assertLess(estimate.low, estimate.high)
            self.assertAlmostEqual(estimate.value / truth, 1, delta=0.1)
        self.assertEqual(one.compare(one, confidence=0.5).jaccard.value, 1)
        with self.assertRaises(ValueError):
            one.compare(other, confidence=1)
        classic = bloomery.Filter.from_plan(bloomery.plan(bits=65536, fpr=0.01, kind="classic"))
        classic.update(WORDS)
        small = classic.shrink()
        self.assertEqual(small.size_bytes, 4096)
        self.assertTrue(small.contains(WORDS).all())
        with self.assertRaises(ValueError):
            classic.shrink(by=3)

    def test_static(self):
        for kind in ["fuse", "ribbon"]:
            built = bloomery.Filter.build(WORDS + WORDS, 0.01, kind=kind)
            self.assertTrue(built.contains(WORDS).all())
            self.assertLess(built.contains([f"stranger {i}" for i in range(5000)]).sum(), 150)
            for refused in [lambda: built.add("more"), lambda: bloomery.Filter(10, kind=kind)]:
                with self.assertRaises(bloomery.Error) as caught:
                    refused()
                self.assertEqual(caught.exception.code, "not_supported")


class Threads(unittest.TestCase):
    def test_share_a_filter(self):
        seen = bloomery.Filter(400_000, kind="exact")
        other = bloomery.Filter(400_000, kind="exact")
        keys = numpy.arange(400_000, dtype=numpy.uint64)
        wrong = []

        def work(part):
            seen.update(keys[part::4])
            seen.update([f"{part}-{i}" for i in range(2000)])
            if not seen.contains(keys[part::4]).all() or f"{part}-7" not in seen:
                wrong.append(part)
            if part % 2:
                other.__ior__(seen)
            else:
                seen.__ior__(other)

        threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(seen), 408_000)

    def test_the_interpreter_goes_on_meanwhile(self):
        """While a batch waits for the filter, Python runs: a pipe stands for an event of another thread."""
        seen = bloomery.Filter(1000)
        ready, set_ready = os.pipe()

        def keys():
            yield "first"
            thread.start()
            os.read(ready, 1)  # the other thread has added its key while this update is under way
            yield "last"

        def other():
            seen.add("other")
            os.write(set_ready, b"x")

        thread = threading.Thread(target=other)
        seen.update(keys())
        thread.join()
        os.close(ready), os.close(set_ready)
        self.assertTrue(seen.contains(["first", "last", "other"]).all())


if __name__ == "__main__":
    unittest.main()
