# pytest's `capfd` loses nothing: what the test prints, what it writes to descriptors, and what children write.
mkdir /tmp/p; cd /tmp/p; cat > test_capture.py <<'P'
import os, subprocess, sys

def test_all_of_it(capfd):
    print("printed"); os.write(1, b"written\n"); subprocess.run(["echo", "by a child"]); print("again"); os.system("echo by a shell")
    print("an error", file=sys.stderr); os.write(2, b"written\n"); subprocess.run("echo by a child >&2", shell=True)
    out, err = capfd.readouterr()
    assert out.split("\n") == ["printed", "written", "by a child", "again", "by a shell", ""] and err.split("\n") == ["an error", "written", "by a child", ""]
    print("later"); subprocess.run(["echo", "and later"]); assert capfd.readouterr().out == "later\nand later\n"
    with capfd.disabled(): print("seen")

def test_binary(capfdbinary):
    os.write(1, b"\xff\x00"); subprocess.run(["printf", "x"]); assert capfdbinary.readouterr().out == b"\xff\x00x"

def test_fails():
    print("printed"); os.system("echo by a child")
    assert False
P
python3 -m pytest -q -p no:cacheprovider test_capture.py | sed 's/ in [0-9.]*s/ in TIME/'
exec 6>/tmp/six; python3 -m pytest -q -p no:cacheprovider -k binary test_capture.py | sed 's/ in [0-9.]*s/ in TIME/'
