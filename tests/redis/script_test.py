"""scripts/redis: what it says before it builds or starts anything."""
import pathlib
import socket
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/redis"


def run(*arguments):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, timeout=60)


class Script(unittest.TestCase):
    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            result = run("--appendonly", "yes", "--port", port)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, f"^bloomery: port {port} is taken, .*scripts/redis --port 7000\n$")

    def test_help(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("--build", result.stdout)


if __name__ == "__main__":
    unittest.main()
