#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A remote shell that really goes over the network, for hosts of a lab, whose own (scripts/lab) does not.

network_shell.py --serve          runs what comes in at port 7222, for whoever can connect: in a lab only
network_shell.py HOST COMMAND...  runs COMMAND on HOST; exit code as there
"""
import socket
import subprocess
import sys


def serve() -> None:
    with socket.create_server(("", 7222)) as server:
        while True:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as lines:
                command = lines.readline().decode()
                done = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True)
                connection.sendall(done.stdout + done.stderr + b"\n%d" % done.returncode)


def run(host: str, command: str) -> int:
    with socket.create_connection((host, 7222)) as connection:
        connection.sendall(command.encode() + b"\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    output, code = answer.rsplit(b"\n", 1)
    sys.stdout.buffer.write(output)
    return int(code)


if __name__ == "__main__":
    sys.exit(serve() if sys.argv[1] == "--serve" else run(sys.argv[1], " ".join(sys.argv[2:])))
