"""asyncio: servers and clients of one loop, over TCP and a Unix socket."""
import asyncio
import os


async def echo(reader, writer):
    while line := await reader.readline():
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def ask(reader, writer, *lines):
    answers = []
    for line in lines:
        writer.write(line)
        answers.append(await reader.readline())
    writer.write_eof()
    answers.append(await reader.read())
    writer.close()
    await writer.wait_closed()
    return answers


async def main():
    server = await asyncio.start_server(echo, "localhost", 0, limit=2_000_000)
    print(sorted(sock.getsockname()[0] for sock in server.sockets))
    port = server.sockets[0].getsockname()[1]
    async with server:
        connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        print(await asyncio.gather(*[ask(*pair, b"one\n", b"two %d\n" % i) for i, pair in enumerate(connections)]))
        big = b"x" * 1_000_000 + b"\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2_000_000)
        writer.write(big)
        print(len(await reader.readline()))
        writer.close()
    try:
        await asyncio.open_connection("127.0.0.1", port)
    except OSError as error:
        print(type(error).__name__)

    server = await asyncio.start_unix_server(echo, "/tmp/echo")
    async with server:
        print(await ask(*await asyncio.open_unix_connection("/tmp/echo"), b"unix\n"))
    print(os.path.exists("/tmp/echo"))

    class Counter(asyncio.Protocol):
        def connection_made(self, transport):
            self.transport, self.count = transport, 0

        def data_received(self, data):
            self.count += len(data)
            self.transport.write(b"%d" % self.count)
            self.transport.close()

    loop = asyncio.get_running_loop()
    server = await loop.create_server(Counter, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"12345")
    print(await reader.read())
    server.close()
    reader, writer = None, None
    try:
        await asyncio.wait_for(loop.sock_accept(quiet()), 0.01)
    except TimeoutError:
        print("no connection")
    for refused in (loop.create_datagram_endpoint(asyncio.DatagramProtocol, local_addr=("127.0.0.1", 0)), asyncio.open_connection("example.com", 80)):
        try:
            await refused
        except OSError as error:
            print(type(error).__name__)


def quiet():
    import socket

    server = socket.create_server(("127.0.0.1", 0))
    server.setblocking(False)
    return server


asyncio.run(main())
