"""What has a value here, or a reason."""
import asyncio
import os
import platform
import shutil
import socket
import subprocess
import time


def attempt(what, *arguments, **options):
    try:
        print(what(*arguments, **options))
    except Exception as error:
        print(type(error).__name__, error)


command = subprocess.check_output("hostname", text=True).strip()
print(command, socket.gethostname() == os.uname().nodename == platform.node() == platform.uname().node == command, socket.getfqdn())
named = subprocess.run("hostname; python3 -c 'import os, socket; print(socket.gethostname(), os.uname().nodename)'", shell=True,
                       env={**os.environ, "HOSTNAME": "other"}, capture_output=True, text=True)
print(named.stdout.split(), named.stderr)
print(os.uname().sysname, os.uname().machine, len(os.uname()))
attempt(os.getloadavg)
attempt(time.tzset)
for zone in ("UTC", "America/New_York"):
    os.environ["TZ"] = zone
    attempt(time.tzset)
os.makedirs("/tmp/folder")
attempt(shutil.make_archive, "/tmp/made", "rar", "/tmp/folder")
print(shutil.make_archive("/tmp/made", "gztar", root_dir="/tmp", base_dir="folder"))
for name in ("/tmp/made.tar.gz", "/tmp/a.rar"):
    attempt(shutil.unpack_archive, name, "/tmp/unpacked")
print(os.listdir("/tmp/unpacked"))


async def sockets():
    for what in (asyncio.start_server(None, "192.0.2.1", 0), asyncio.open_connection("localhost", 80), asyncio.open_connection("192.0.2.1", 80)):
        try:
            await what
        except OSError as error:
            print(type(error).__name__, error)


asyncio.run(sockets())
