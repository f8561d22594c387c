"""A cluster on loopback: masters, and a replica for each. And a client that sends pipelines to all of them at once."""
import os

from server import Client, Failure, Server, free_port, wait_for

SLOTS = 16384


def slot(key):
    """CRC16 of the part in braces, or of all of it."""
    key = key.encode() if isinstance(key, str) else key
    opened = key.find(b"{")
    closed = key.find(b"}", opened + 1)
    if opened >= 0 and closed > opened + 1:
        key = key[opened + 1:closed]
    crc = 0
    for byte in key:
        crc ^= byte << 8
        for _ in range(8):
            crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
    return (crc & 0xffff) % SLOTS


class Cluster:
    def __init__(self, masters=3):
        self.servers = []
        try:
            for _ in range(2 * masters):
                bus_port = free_port()
                self.servers.append(Server("--cluster-enabled", "yes", "--cluster-port", str(bus_port), "--cluster-node-timeout",
                                           "1500", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1", port=free_port()))
                self.servers[-1].bus_port = bus_port
            self.join(masters)
        except BaseException:
            self.stop()
            raise

    def join(self, masters):
        clients = [server.client() for server in self.servers]
        for i, client in enumerate(clients):
            self.expect_ok(client("CLUSTER", "SET-CONFIG-EPOCH", i + 1))
            if i < masters:
                self.expect_ok(client("CLUSTER", "ADDSLOTSRANGE", SLOTS * i // masters, SLOTS * (i + 1) // masters - 1))
            for server in self.servers[:i]:  # all know all at once, and need not gossip for long
                self.expect_ok(client("CLUSTER", "MEET", "127.0.0.1", server.port, server.bus_port))
        ids = [client("CLUSTER", "MYID").decode() for client in clients]
        for i, client in enumerate(clients[masters:]):
            wait_for(lambda: client("CLUSTER", "REPLICATE", ids[i]) == "OK", "a replica that knows its master")
        for client in clients:
            wait_for(lambda: b"cluster_state:ok" in client("CLUSTER", "INFO") and self.whole(client, masters), "the cluster")
        for client in clients[masters:]:
            wait_for(lambda: b"master_link_status:up" in client("INFO", "replication"), "a replica's data")
        for client in clients:
            client.close()

    @staticmethod
    def whole(client, masters):
        ranges = client("CLUSTER", "SLOTS")
        return len(ranges) == masters and all(len(r) == 4 for r in ranges)

    @staticmethod
    def expect_ok(answer):
        assert answer == "OK", answer

    def stop(self):
        for server in self.servers:
            server.stop()

    def slots(self):
        """Of somebody alive: [first slot, last slot, port of the master]..."""
        server = next(server for server in self.servers if server.alive())
        client = server.client()
        ranges = [(r[0], r[1], r[2][1]) for r in client("CLUSTER", "SLOTS")]
        client.close()
        return ranges

    def server_at(self, port):
        return next(server for server in self.servers if server.port == port)

    def wait_for_failover(self, dead_port):
        def took_over():
            for server in self.servers:
                if server.alive():
                    client = server.client()
                    good = b"cluster_state:ok" in client("CLUSTER", "INFO") and dead_port not in [r[2][1] for r in client("CLUSTER", "SLOTS")]
                    client.close()
                    if not good:
                        return False
            return True
        wait_for(took_over, "a replica to take over")


class ClusterClient:
    def __init__(self, cluster):
        self.cluster, self.clients = cluster, {}
        self.learn()

    def learn(self):
        self.ranges = self.cluster.slots()

    def close(self):
        for client in self.clients.values():
            client.close()

    def port_of(self, key):
        at = slot(key)
        return next(port for first, last, port in self.ranges if first <= at <= last)

    def client(self, port):
        if port not in self.clients:
            self.clients[port] = Client(("127.0.0.1", port))
        return self.clients[port]

    def __call__(self, *words):
        answer = self.client(self.port_of(str(words[1])))(*words)
        if isinstance(answer, Failure):
            raise answer
        return answer

    def pipelines(self, commands, halfway=lambda: None):
        """commands: {port: [words, ...]}. Gives {port: [reply, ...]}, None for a port that is lost."""
        halves = {port: (of_port[:len(of_port) // 2], of_port[len(of_port) // 2:]) for port, of_port in commands.items()}
        for port, half in halves.items():
            self.send(port, half[0])
        halfway()
        for port, half in halves.items():
            self.send(port, half[1])
        return {port: self.replies(port, sum(map(len, half))) for port, half in halves.items()}

    def send(self, port, commands):
        try:
            self.client(port).socket.sendall(b"".join(map(Client.encode, commands)))
        except OSError:
            pass  # reading will tell

    def replies(self, port, count):
        try:
            return [self.clients[port].read() for _ in range(count)]
        except OSError:
            self.clients.pop(port).close()
            return None


def full_form():
    return os.environ.get("BLOOMERY_SLOW_TESTS") == "1"
