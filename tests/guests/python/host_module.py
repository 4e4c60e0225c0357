import host
print(host.__doc__.splitlines()[0])
print(host.functions(), [name for name in dir(host) if name[0].isupper()])
try: from host import search
except ImportError as error: print(error)
try: host.call("search", {})
except host.Denied as error: print(type(error).__name__, isinstance(error, host.Error), error)
try: host.__path__
except AttributeError as error: print(error)
