import importlib, sys
for name in ("colorsys", "wave", "imaplib", "mailbox", "turtle", "cProfile", "pdb", "telnetlib", "xmlrpc.client", "wsgiref.simple_server", "concurrent.futures", "multiprocessing.dummy", "distutils", "venv", "pydoc", "http.server", "ftplib", "sched", "shelve", "trace", "zipapp", "dbm.dumb", "asyncio.subprocess", "encodings.cp1252", "unittest.mock"):
    try: print(name, importlib.import_module(name).__spec__.origin)
    except ImportError as e: print(name, type(e).__name__, e)
