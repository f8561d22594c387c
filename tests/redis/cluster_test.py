"""Three masters and three replicas. A stream of keys with repeats goes through filters spread over the cluster, a master is
killed, and an exact set says what the answers had to be. With BLOOMERY_SLOW_TESTS=1: five million keys."""
import collections
import math
import random
import unittest
import zlib

from cluster import Cluster, ClusterClient, full_form, slot
from server import Failure, Server, free_port, wait_for

KEYS = 5_000_000 if full_form() else 200_000
SHARDS, RATE, BATCH = 64, 0.001, 20_000


def shard_of(key):
    return zlib.crc32(key) % SHARDS


class Stream:
    """Sends batches of draws, and keeps the exact set of keys whose answers came and were waited for."""

    def __init__(self, client):
        self.client = client
        self.exact = set()
        self.replicated = {port for _, _, port in client.ranges}  # masters that still have their replica
        self.wrongly_seen = self.forgotten = self.fresh_drawn = self.resent = 0

    def send(self, draws, halfway=lambda: None, answers_count=True):
        """Draws of servers that died meanwhile are returned: nobody knows whether they were taken."""
        by_port = collections.defaultdict(lambda: collections.defaultdict(list))
        for key in draws:
            name = f"seen:{{{shard_of(key)}}}"
            by_port[self.port_of(name)][name].append(key)
        commands = {port: [("BF.MADD", name, *keys) for name, keys in names.items()] for port, names in by_port.items()}
        for port in self.replicated & set(commands):
            commands[port].append(("WAIT", 1, 20000))
        answers = self.client.pipelines(commands, halfway)
        lost = []
        for port, replies in answers.items():
            if replies is None:
                lost += [key for keys in by_port[port].values() for key in keys]
                continue
            if port in self.replicated and replies[-1] < 1:
                raise AssertionError("a replica has not acknowledged")
            for keys, reply in zip(by_port[port].values(), replies):
                self.take(keys, reply, answers_count)
        return lost

    def port_of(self, name):
        if name not in self.ports:
            self.ports[name] = self.client.port_of(name)
        return self.ports[name]

    ports = {}

    def take(self, keys, reply, answers_count):
        if len(reply) != len(keys):
            raise AssertionError(f"{len(reply)} answers to {len(keys)} keys: {reply[-1]}")
        for key, fresh in zip(keys, reply):
            if isinstance(fresh, Failure):
                raise fresh
            if answers_count and key in self.exact:
                self.forgotten += fresh
            elif answers_count:
                self.fresh_drawn += 1
                self.wrongly_seen += not fresh
            self.exact.add(key)

    def ask(self, keys):
        """How many of these the filters say they hold."""
        by_port = collections.defaultdict(lambda: collections.defaultdict(list))
        for key in keys:
            name = f"seen:{{{shard_of(key)}}}"
            by_port[self.port_of(name)][name].append(key)
        commands = {port: [("BF.MEXISTS", name, *of_name) for name, of_name in names.items()] for port, names in by_port.items()}
        return sum(sum(reply) for replies in self.client.pipelines(commands).values() for reply in replies)


def draws(count, number=random.Random(8)):
    """One in five repeats an earlier one, soon or late."""
    fresh = 0
    for _ in range(count):
        if fresh and number.random() < 0.2:
            yield b"key:%d" % int(fresh * number.random())
        else:
            fresh += 1
            yield b"key:%d" % fresh


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    yield batch


class Failover(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster()
        self.addCleanup(self.cluster.stop)
        self.client = ClusterClient(self.cluster)
        self.addCleanup(self.client.close)

    def reserve(self):
        share = KEYS / SHARDS
        for i in range(SHARDS):
            self.client("BF.RESERVE", f"seen:{{{i}}}", RATE, int(share + 6 * math.sqrt(share)), "NONSCALING")

    def rate(self):
        """What the fill of all filters predicts."""
        total = 0
        for i in range(SHARDS):
            facts = dict(word.split(":") for word in self.client("BF.DEBUG", f"seen:{{{i}}}")[1].decode().split())
            bits, probes, size = int(facts["bits"]), int(facts["hashes"]), int(facts["size"])
            total += (1 - math.exp(-probes * size / bits)) ** probes
        return total / SHARDS

    def kill_master(self, stream):
        """Kills one when half of a batch is sent, lets its replica take over, and sends again what it left unanswered."""
        dead = self.client.port_of("seen:{0}")
        lost = yield lambda: self.cluster.server_at(dead).kill()
        self.assertTrue(lost, "the killed server has answered everything")
        self.cluster.wait_for_failover(dead)
        self.client.learn()
        stream.ports.clear()
        stream.replicated = {port for _, _, port in self.client.ranges if port in stream.replicated}
        self.assertEqual(len(stream.replicated), 2)
        for batch in batches(lost, BATCH):
            self.assertEqual(stream.send(batch, answers_count=False), [])
        stream.resent = len(lost)
        yield

    def test_no_acknowledged_key_is_lost(self):
        self.reserve()
        stream = Stream(self.client)
        for number, batch in enumerate(batches(draws(KEYS), BATCH)):
            if number != KEYS // BATCH // 2:
                self.assertEqual(stream.send(batch), [])
                continue
            steps = self.kill_master(stream)
            halfway = next(steps)
            steps.send(stream.send(batch, halfway))
        self.assertEqual(stream.forgotten, 0)
        for batch in batches(iter(stream.exact), BATCH):
            self.assertEqual(stream.ask(batch), len(batch), "a key that was acknowledged is gone")
        self.check_rates(stream)

    def check_rates(self, stream):
        rate = self.rate()
        foreign = KEYS // 2
        wrong = sum(stream.ask(batch) for batch in batches((b"other:%d" % i for i in range(foreign)), BATCH))
        expected = rate * foreign
        self.assertLessEqual(rate, RATE)
        self.assertLess(abs(wrong - expected), 5 * math.sqrt(expected) + 5)
        self.assertLess(stream.wrongly_seen, rate * stream.fresh_drawn + 5 * math.sqrt(rate * stream.fresh_drawn) + 5)
        print(f"{KEYS} draws, {len(stream.exact)} distinct, {stream.resent} sent again after the failover, none forgotten; "
              f"{stream.wrongly_seen} of {stream.fresh_drawn} new ones called old; "
              f"{wrong} of {foreign} others called old, predicted {expected:.1f}")

    def test_this_client_knows_slots_as_the_server_does(self):
        for key in ("foo", "x{foo}y{bar}", "foo{}{bar}", "foo{{bar}}zap", "seen:{63}"):
            self.assertEqual(self.client.client(self.client.ranges[0][2])("CLUSTER", "KEYSLOT", key), slot(key))


class OneNode(unittest.TestCase):
    def test_a_merge_stays_within_a_slot(self):
        """The server knows all keys of BF.MERGE."""
        server = Server("--cluster-enabled", "yes", port=free_port())
        self.addCleanup(server.stop)
        client = server.client()
        self.addCleanup(client.close)
        self.assertEqual(client("CLUSTER", "ADDSLOTSRANGE", 0, 16383), "OK")
        wait_for(lambda: b"cluster_state:ok" in client("CLUSTER", "INFO"), "the cluster")
        client("BF.ADD", "{x}a", "1")
        client("BF.ADD", "{y}a", "2")
        self.assertEqual(client("BF.MERGE", "{x}b", "{x}a"), "OK")
        self.assertRegex(str(client("BF.MERGE", "{x}b", "{x}a", "{y}a")), "^CROSSSLOT ")


if __name__ == "__main__":
    unittest.main()
