"""An unmodified client, python3-redis, against the module: its bf() commands."""
import sys
import unittest

try:
    import redis
except ImportError:  # Debian's package, seen from another interpreter of the same version
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        import redis
    except ImportError:
        print("skipped: python3-redis is not installed")
        sys.exit(77)

from server import Server


class PythonClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.client = redis.Redis(unix_socket_path=cls.server.socket)
        cls.bf = cls.client.bf()

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.server.stop()

    def setUp(self):
        self.client.flushall()

    def test_create(self):
        self.assertTrue(self.bf.create("k", 0.01, 1000))
        self.assertTrue(self.bf.create("e", 0.01, 1000, expansion=1))
        self.assertTrue(self.bf.create("n", 0.01, 1000, noScale=True))
        with self.assertRaisesRegex(redis.ResponseError, "item exists"):
            self.bf.create("k", 0.01, 1000)

    def test_add_and_ask(self):
        self.assertEqual(self.bf.add("k", "a"), 1)
        self.assertEqual(self.bf.add("k", "a"), 0)
        self.assertEqual(self.bf.madd("k", "a", "b"), [0, 1])
        self.assertEqual(self.bf.exists("k", "b"), 1)
        self.assertEqual(self.bf.mexists("k", "a", "zzz"), [1, 0])
        self.assertEqual(self.bf.insert("i", ["a", "b"], capacity=500, error=0.001, expansion=3), [1, 1])
        with self.assertRaisesRegex(redis.ResponseError, "not found"):
            self.bf.insert("none", ["a"], noCreate=True)

    def test_info(self):
        self.bf.create("k", 0.01, 1000, expansion=4)
        self.bf.madd("k", "a", "b")
        info = self.bf.info("k")
        self.assertEqual((info.capacity, info.filterNum, info.insertedNum, info.expansionRate), (1000, 1, 2, 4))
        with self.assertRaisesRegex(redis.ResponseError, "not found"):
            self.bf.info("none")

    def test_an_error_in_an_array(self):
        self.bf.create("n", 0.0001, 2, noScale=True)
        answers = self.bf.madd("n", "a", "b", "c", "d")
        self.assertEqual(answers[:2], [1, 1])
        self.assertIsInstance(answers[2], redis.ResponseError)
        self.assertEqual(len(answers), 3)

    def test_dump_and_load(self):
        self.bf.create("k", 0.01, 100)
        self.bf.madd("k", *range(300))
        iterator = 0
        while True:
            iterator, data = self.bf.scandump("k", iterator)
            if iterator == 0:
                break
            self.assertTrue(self.bf.loadchunk("copy", iterator, data))
        self.assertEqual(self.client.dump("copy"), self.client.dump("k"))

    def test_pipelines(self):
        pipe = self.client.pipeline()
        for i in range(100):
            pipe.bf().add("k", i)
        pipe.bf().mexists("k", *range(3))
        self.assertEqual(pipe.execute()[-1], [1, 1, 1])


if __name__ == "__main__":
    unittest.main()
