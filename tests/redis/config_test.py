"""Settings: CONFIG GET and SET, and the arguments of loadmodule in both spellings."""
import contextlib
import unittest

from server import Failure, Server, ServerTest

NAMES = ("bf-error-rate", "bf-initial-size", "bf-expansion-factor")


class Settings(ServerTest):
    def get(self, name):
        return self.r("CONFIG", "GET", "bf." + name)[1].decode()

    def tearDown(self):
        for name, value in zip(NAMES, ("0.01", "100", "2")):
            self.r("CONFIG", "SET", "bf." + name, value)
        super().tearDown()

    def test_defaults(self):
        self.assertEqual([self.get(name) for name in NAMES], ["0.01", "100", "2"])

    def test_changes_count_from_the_next_filter_on(self):
        for name, value in zip(NAMES, ("0.001", "1000", "0")):
            self.assertEqual(self.r("CONFIG", "SET", "bf." + name, value), "OK")
            self.assertEqual(self.get(name), value)
        self.r("BF.ADD", "k", "a")
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [1000])
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [None])
        self.assertTrue(self.r("BF.DEBUG", "k")[1].endswith(b"ratio:0.001"))

    def test_refusals(self):
        ranges = {"bf-error-rate": "(0.000000, 1.000000)", "bf-initial-size": "[1, 1073741824]", "bf-expansion-factor": "[0, 32768]"}
        for name, values in {"bf-error-rate": ("0", "1", "-1"), "bf-initial-size": ("0", "1073741825", "-3"),
                             "bf-expansion-factor": ("-1", "32769")}.items():
            before = self.get(name)
            for value in values:
                self.refused(name, value, f"Value for `{name}` must be in the range {ranges[name]}")
            for value in ("x", ""):
                self.refused(name, value, f"Invalid value for `{name}`")
            self.assertEqual(self.get(name), before)

    def refused(self, name, value, why):
        answer = self.r("CONFIG", "SET", "bf." + name, value)
        self.assertIsInstance(answer, Failure)
        self.assertIn(why, str(answer))

    def test_permissions(self):
        """By name everywhere; by category where the server has categories for modules."""
        self.assertEqual(self.r("ACL", "SETUSER", "reader", "reset", "on", "~*", "-@all", "+bf.exists"), "OK")
        self.assertEqual(self.r("ACL", "DRYRUN", "reader", "bf.exists", "k", "a"), "OK")
        self.assertNotEqual(self.r("ACL", "DRYRUN", "reader", "bf.add", "k", "a"), "OK")
        has_bloom = b"bloom" in self.r("ACL", "CAT")
        self.r("ACL", "SETUSER", "reader", "-@all", "+@read")
        self.assertEqual(self.r("ACL", "DRYRUN", "reader", "bf.exists", "k", "a") == "OK", has_bloom)
        self.r("ACL", "SETUSER", "reader", "+@all", "-@write")
        self.assertEqual(self.r("ACL", "DRYRUN", "reader", "bf.add", "k", "a") != "OK", has_bloom)

    def test_the_module_is_called_bf(self):
        self.assertEqual(self.r3("MODULE", "LIST")[0]["name"], b"bf")


class Arguments(unittest.TestCase):
    def check(self, *arguments):
        server = Server(module_arguments=arguments)
        try:
            with contextlib.closing(server.client()) as client:
                client("BF.ADD", "k", "a")
                return client("BF.INFO", "k", "CAPACITY")[0], client("BF.DEBUG", "k")[1].split(b"ratio:")[1].decode()
        finally:
            server.stop()

    def test_new_and_old_names(self):
        self.assertEqual(self.check("bf-error-rate", "0.02", "bf-initial-size", "50"), (50, "0.01"))
        self.assertEqual(self.check("INITIAL_SIZE", "60", "ERROR_RATE", "0.002"), (60, "0.001"))

    def test_wrong_ones_keep_the_server_from_starting(self):
        for arguments in (("ERROR_RATE",), ("WORD", "1"), ("INITIAL_SIZE", "0"), ("ERROR_RATE", "x")):
            with self.assertRaises(RuntimeError):
                self.check(*arguments)


if __name__ == "__main__":
    unittest.main()
