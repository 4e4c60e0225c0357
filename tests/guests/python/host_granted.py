import host
print(host.functions())
try: from host import search
except ImportError as error: print(error)
for name in ("search", "other"):
    try: host.call(name, {})
    except host.Error as error: print(type(error).__name__, error.name)
