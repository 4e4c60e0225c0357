# opens componentize-py's archive of libraries: libc, libpython
import sys, pathlib
sys.path.insert(0, "/work/main/components/python")
import reproducible, componentize_py
source = pathlib.Path(componentize_py.__file__).parent
(module,) = source.glob("componentize_py*.so")
data = module.read_bytes()
out = pathlib.Path("/work/spike-threads/libs"); out.mkdir(exist_ok=True)
for at, size, contents in reproducible.frames(data):
    if contents[:4] == b"\0asm":
        print(at, size, len(contents), b"PyThreadState_New" in contents, b"__wasilibc_cwd" in contents)
        (out / f"{at}.wasm").write_bytes(contents)
