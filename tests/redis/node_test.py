"""The Node client's bloom commands (node/bloom_test.mjs) against a server. node/install has installed the client."""
import os
import pathlib
import subprocess
import sys

from server import Server

server = Server()
try:
    folder = pathlib.Path(__file__).resolve().parents[2] / "build/redis-node"
    result = subprocess.run(["node", "--test", "bloom_test.mjs"], cwd=folder, env=dict(os.environ, REDIS_SOCKET=server.socket), timeout=120)
    if not server.alive():
        sys.exit("the server has ended:\n" + server.log_text()[-3000:])
finally:
    server.stop()
sys.exit(result.returncode)
