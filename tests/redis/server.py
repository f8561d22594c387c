"""A redis-server with the module, on a unix socket in a folder of its own, and a client that shows what is on the wire.

environment: REDIS_SERVER, BLOOMERY_MODULE; REDIS_PRELOAD: a library that the server loads first (a sanitizer's).
"""
import itertools
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest


class Simple(str):
    """+text"""


class Failure(Exception):
    """-text: equal to another of the same text."""

    def __eq__(self, other):
        return isinstance(other, Failure) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


class Client:
    """Replies: +text Simple, -text Failure (returned, not raised), $ bytes, : int, # bool, _ None, % dict, * list."""

    def __init__(self, address, protocol=2):
        family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(60)
        try:
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rb")
        if protocol == 3:
            assert isinstance(self("HELLO", 3), dict)

    def close(self):
        self.file.close()
        self.socket.close()

    @staticmethod
    def encode(words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)

    def __call__(self, *words):
        self.socket.sendall(self.encode(words))
        return self.read()

    def pipeline(self, commands):
        commands = list(commands)
        self.socket.sendall(b"".join(map(self.encode, commands)))
        return [self.read() for _ in commands]

    def line(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server has gone")
        return line[:-2]

    def read(self):
        line = self.line()
        kind, rest = line[:1], line[1:]
        if kind == b"+":
            return Simple(rest.decode())
        if kind == b"-":
            return Failure(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"#":
            return rest == b"t"
        if kind == b",":
            return float(rest)
        if kind == b"_" or rest == b"-1":
            return None
        if kind in b"$=":
            data = self.file.read(int(rest) + 2)
            if len(data) != int(rest) + 2:
                raise ConnectionError("the server has gone")
            return data[:-2]
        if kind == b"%":
            return {self.key(self.read()): self.read() for _ in range(int(rest))}
        if kind in b"*~>":
            return [self.read() for _ in range(int(rest))]
        raise ValueError(f"not a reply: {line!r}")

    @staticmethod
    def key(key):
        return key.decode() if type(key) is bytes else key


class Server:
    def __init__(self, *options, module_arguments=(), folder=None, port=0):
        self.own_folder = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="blm-redis-"))
        self.socket = str(self.folder / "socket")
        self.options, self.module_arguments, self.port = options, module_arguments, port
        self.start()

    def command(self):
        module = [os.environ["BLOOMERY_MODULE"], *self.module_arguments]
        return [os.environ["REDIS_SERVER"], "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", self.socket, "--dir", str(self.folder),
                "--save", "", "--enable-debug-command", "yes", "--loglevel", "notice", *self.options,
                "--loadmodule", *module]

    def start(self):
        environment = dict(os.environ, LC_ALL="C")
        if os.environ.get("REDIS_PRELOAD"):
            environment["LD_PRELOAD"] = os.environ["REDIS_PRELOAD"]
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log, env=environment)
        self.wait_until_ready()

    def wait_until_ready(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                client = self.client()
                answer = client("PING")
                client.close()
                if answer == "PONG":
                    return
            except OSError:
                pass
            time.sleep(0.01)
        text = self.log_text()
        self.stop()
        raise RuntimeError("the server did not start:\n" + text)

    def log_text(self):
        return (self.folder / "log").read_text(errors="replace")

    def client(self, protocol=2):
        return Client(self.socket, protocol)

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        if self.alive():
            self.process.kill()
        self.process.wait()
        self.log.close()

    def stop(self):
        """Asks it to end; without saving. Its folder goes with it, unless it was given."""
        if self.alive():
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                pass
        self.kill()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def restart(self):
        """Ends it as a crash would, and starts it again on the same files."""
        self.kill()
        self.start()


next_port = itertools.count(os.getpid() * 64)  # tests that run at once begin far from each other


def free_port():
    """A loopback port that nobody listens on now, never the same; below those that the system gives to connections, or
    one of these could take it before the server does."""
    for number in next_port:
        with socket.socket() as probe:
            port = 16384 + number % 16384
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


def pieces(client, key):
    """What SCANDUMP sends: numbers and data."""
    number, all_of_it = 0, []
    while True:
        number, data = client("BF.SCANDUMP", key, number)
        if number == 0:
            return all_of_it
        all_of_it.append((number, data))


def put_pieces(client, key, all_of_it):
    for number, data in all_of_it:
        assert client("BF.LOADCHUNK", key, number, data) == "OK", number


class ServerTest(unittest.TestCase):
    """One server for all tests of a class, emptied before each."""

    options, module_arguments = (), ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options, module_arguments=cls.module_arguments)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.r = self.server.client()
        self.r3 = self.server.client(3)
        self.r("FLUSHALL")

    def tearDown(self):
        self.r.close()
        self.r3.close()
        if not self.server.alive():
            self.fail("the server has ended:\n" + self.server.log_text()[-3000:])

    def fails(self, text, *command):
        self.assertEqual(self.r(*command), Failure(text), command)
