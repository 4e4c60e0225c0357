"""Bytes that Python hands to the host do not stay in its memory: 2 GiB on each road, within 64 MiB for all that runs."""
import os
import socket
import subprocess

TOTAL, PIECE, LARGE = 1 << 31, bytes(1 << 16), bytes(1 << 22)


def os_write():
    reader, count = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL), 0
    while count < TOTAL:
        count += os.write(reader.stdin.fileno(), PIECE)
    reader.stdin.close()
    return count, reader.wait()


def standard_input():
    done = [subprocess.run(["cat"], input=LARGE, stdout=subprocess.DEVNULL).returncode for _ in range(TOTAL // len(LARGE))]
    return len(done) * len(LARGE), sum(done)


def sent():
    count, buffer = 0, bytearray(PIECE)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client, server.accept()[0] as other:
        while count < TOTAL:
            there = client.send(PIECE)
            count += there
            while there:
                there -= other.recv_into(buffer)
    return count, 0


def written_to_a_file():
    count = 0
    with open("/tmp/file", "wb") as file:
        while count < TOTAL:
            file.seek(0)
            count += file.write(LARGE)
    return count, os.stat("/tmp/file").st_size


def arguments():
    """Lists of byte strings: a quarter of that, for a process each time takes longer."""
    done = [subprocess.run(["true", "x" * 100_000]).returncode for _ in range(5000)]
    return len(done), sum(done)


for road in (os_write, standard_input, sent, written_to_a_file, arguments):
    print(road.__name__, *road(), flush=True)
