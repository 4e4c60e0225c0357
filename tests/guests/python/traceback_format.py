import traceback, io, json
def show(f):
    try: f()
    except Exception: print(traceback.format_exc().replace("/mnt/cases/", ""))
show(lambda: open("/tmp/missing/file"))
show(lambda: __import__("os").stat("/tmp/missing"))
show(lambda: __import__("os").listdir("/tmp/missing"))
show(lambda: __import__("subprocess").run(["missing-program"])) if False else None
def chain():
    try: {}["k"]
    except KeyError as e: raise ValueError("bad") from e
show(chain)
def group(): raise ExceptionGroup("many", [ValueError(1), TypeError("t")])
show(group)
show(lambda: nme)
try: json.loads("{bad")
except ValueError: text = traceback.format_exc()
print("/usr/lib/python3.14/json/decoder.py" in text, "raise JSONDecodeError" in text)
print(traceback.extract_stack()[0].name, len(traceback.extract_stack()))
