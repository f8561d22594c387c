"""Replays what docs/redis.md says about coming from RedisBloom: its own blocks of code, with filters that RedisBloom wrote."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from golden import all_golden
from server import Client, Server, free_port

TOP = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = [g for g in all_golden() if g.dump]


def blocks():
    """{heading: code} of the section's parts."""
    section = re.search(r"^## Coming from RedisBloom\n(.*?)^## ", (TOP / "docs/redis.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    return {part.split("\n")[0]: re.search(r"```\w+\n(.*?)```", part, re.DOTALL)[1] for part in section.split("\n### ")[1:]}


def rdb_string(text):
    assert len(text) < 64
    return bytes([len(text)]) + text


def rdb_file():
    """A file of golden values, as RedisBloom's server would save them: a DUMP is a type, a value, 2 bytes of version, and a sum."""
    entries = b"".join(g.dump[:1] + rdb_string(g.name.encode()) + g.dump[1:-10] for g in GOLDEN)
    return b"REDIS0010\xfe\x00" + entries + b"\xff" + bytes(8)


class Migration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="blm-migration-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()

    def run_block(self, heading, replacements, arguments=(), shell=("bash", "-euo", "pipefail", "-c")):
        code = blocks()[heading]
        for old, new in replacements.items():
            self.assertIn(old, code)
            code = code.replace(old, str(new))
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run([*shell, code, *arguments], env=dict(os.environ, PATH=path), check=True, capture_output=True, text=True, timeout=100)

    def check(self, client):
        for golden in GOLDEN:
            if golden.members:
                self.assertEqual(client("BF.MEXISTS", golden.name, *golden.members), golden.member_answers, golden.name)
            self.assertEqual(client("BF.MEXISTS", golden.name, *golden.others), golden.other_answers, golden.name)
            self.assertEqual(client("BF.CARD", golden.name), golden.meta["reports"]["BF.CARD"])
            self.assertEqual(client("DUMP", golden.name), golden.dump)

    def old_server(self):
        """With the data of RedisBloom; that its bytes are RedisBloom's own is what compatible_test.py says."""
        server = Server(port=free_port())
        self.addCleanup(server.stop)
        client = server.client()
        self.addCleanup(client.close)
        for golden in GOLDEN:
            self.assertEqual(client("RESTORE", golden.name, 0, golden.dump), "OK")
        client("SET", "something else", "x")
        return server

    def new_server(self):
        server = Server(port=free_port())
        self.addCleanup(server.stop)
        client = server.client()
        self.addCleanup(client.close)
        return server, client

    def test_in_place(self):
        """systemctl is a script here, and what it stops is a server whose file RedisBloom has written."""
        port, data = free_port(), self.folder / "redis"
        data.mkdir()
        (data / "dump.rdb").write_bytes(rdb_file())
        old_module = self.folder / "redisbloom.so"
        old_module.symlink_to(os.environ["BLOOMERY_MODULE"])
        conf = self.folder / "redis.conf"
        conf.write_text(f"port {port}\nbind 127.0.0.1\ndir {data}\ndaemonize yes\nsave \"\"\nloadmodule {old_module} INITIAL_SIZE 200\n")
        systemctl = self.folder / "bin" / "systemctl"
        systemctl.write_text(f"#!/bin/sh\nif [ $1 = stop ]; then exec redis-cli -p {port} SHUTDOWN NOSAVE; fi\n{os.environ['REDIS_SERVER']} {conf}\n"
                             f"until redis-cli -p {port} PING | grep -q PONG; do sleep 0.05; done\n")
        systemctl.chmod(0o755)
        subprocess.run([systemctl, "start"], check=True, timeout=60)
        self.addCleanup(lambda: subprocess.run(["redis-cli", "-p", str(port), "SHUTDOWN", "NOSAVE"], capture_output=True))
        result = self.run_block("In place", {"6379": port, "/var/lib/redis": data, "/etc/redis/redis.conf": conf,
                                             "/usr/lib/redis/modules/bloomery.so": os.environ["BLOOMERY_MODULE"]})
        self.assertIn(os.environ["BLOOMERY_MODULE"], conf.read_text())
        self.assertIn("redisbloom.so", (self.folder / "redis.conf.before").read_text())
        self.assertTrue((self.folder / "redis.before" / "dump.rdb").exists())
        self.assertIn("\nbf\n", result.stdout)
        client = Client(("127.0.0.1", port))
        self.check(client)
        self.assertEqual(client("CONFIG", "GET", "bf.bf-initial-size")[1], b"200")
        client.close()

    def test_key_by_key(self):
        old, (new, client) = self.old_server(), self.new_server()
        self.run_block("Key by key, while both run", {"6379": old.port, "6380": new.port})
        self.check(client)
        self.assertEqual(client("DBSIZE"), len(GOLDEN))
        self.assertEqual(self.differences(old, new), "")
        client("BF.ADD", GOLDEN[0].name, "one more")
        self.assertIn("differs: " + GOLDEN[0].name, self.differences(old, new))

    def differences(self, old, new):
        return self.run_block("Is it all there?", {"6379": old.port, "6380": new.port}).stdout

    def test_in_pieces(self):
        old, (new, client) = self.old_server(), self.new_server()
        for golden in GOLDEN:
            self.run_block("In pieces, for larger filters", {"6379": old.port, "6380": new.port}, [golden.name],
                           shell=("/usr/bin/python3", "-c"))
        self.check(client)


if __name__ == "__main__":
    unittest.main()
