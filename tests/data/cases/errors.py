import errno
import os
import socket
import subprocess

import numpy
import pandas


def show(what, function, *arguments):
    try:
        print(what, function(*arguments))
    except OSError as e:
        print(what, type(e).__name__, e.errno, errno.errorcode.get(e.errno), str(e)[:70])


os.chdir("/tmp")
show("open", open, "none")
show("csv", pandas.read_csv, "none.csv")
show("load", numpy.load, "none.npy")
show("fromfile", numpy.fromfile, "none.bin")
show("mkdir", os.mkdir, "/tmp")
show("long", open, "x" * 300)
show("close", os.close, 77)
show("run", subprocess.run, ["none-of-this-name"])
show("accept", lambda: (listening := socket.create_server(("127.0.0.1", 0))).setblocking(False) or listening.accept())
for number in (2, 6, 11, 20, 44, 54, 63, 73, 76, 104, 111):
    show("raise", lambda number=number: (_ for _ in ()).throw(OSError(number, os.strerror(number))))
print(errno.ENOENT, errno.ENODATA, hasattr(errno, "ENOTCAPABLE"), socket.EBADF, socket.EAGAIN, socket._blocking_errnos)
