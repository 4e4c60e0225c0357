import inspect, ast, dis, sys, sysconfig, platform, importlib, pkgutil, json, os, tokenize, io, site
print(inspect.signature(json.dumps).parameters["indent"], inspect.getsource(json.dumps).splitlines()[0], json.__file__, os.__file__)
print(ast.dump(ast.parse("x = 1")), ast.unparse(ast.parse("a+b")), ast.literal_eval("[1, {'a': (2,)}]"))
def f(): return 1
print(inspect.getsource(f).strip(), f.__code__.co_filename, dis.Bytecode(f).codeobj.co_name, eval("1 + f()"))
print(sys.executable, sys.prefix, sys.base_prefix, sys.platform, os.name, sys.byteorder, sys.maxsize, sys.version_info[:2], sys.implementation.name, sys.path[1:], sys.getfilesystemencoding(), sys.getrecursionlimit())
print(platform.python_version(), platform.python_implementation(), platform.machine(), platform.system(), sysconfig.get_paths()["stdlib"], site.getsitepackages())
print(importlib.import_module("xml.dom").__name__, "email" in [m.name for m in pkgutil.iter_modules()], list(tokenize.generate_tokens(io.StringIO("a=1").readline))[0].string, sys.modules["__main__"].__file__)
leaks = [name for name, module in list(sys.modules.items()) for key in ("__file__", "__cached__") if (getattr(module, key, None) or "/usr/").startswith(("/usr/", "/mnt/cases/")) is False]
print(leaks)
