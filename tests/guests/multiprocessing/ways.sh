# The ways in which a program with processes is started, and what its children have of it.
mkdir /tmp/ways && cd /tmp/ways
cat > script.py <<'END'
import multiprocessing as mp, sys
def work(queue):
    queue.put((__name__, sys.argv[1:], sys.path[0]))
if __name__ == "__main__":
    queue = mp.SimpleQueue()
    process = mp.Process(target=work, args=(queue,))
    process.start()
    print(queue.get())
    process.join()
END
mkdir package && touch package/__init__.py && cp script.py package/module.py && cp script.py package/__main__.py
python3 script.py one two
(cd / && python3 tmp/ways/script.py three)
python3 -m script four
python3 -m package.module
echo 'import multiprocessing as mp
if __name__ == "__main__":
    process = mp.Process(target=print, args=("from standard input",))
    process.start()
    process.join()
    print(process.exitcode)' | python3
python3 -c 'import multiprocessing as mp
process = mp.Process(target=print, args=("from -c",))
process.start()
process.join()
print(process.exitcode)'
# Without the test for __main__, each child would start another.
printf 'import multiprocessing as mp\nprocess = mp.Process(target=print)\nprocess.start()\nprocess.join()\nprint(process.exitcode)\n' > endless.py
python3 endless.py 2>&1 | grep -e '^1$' -e 'bootstrapping phase'
# What a program prints and reads is its children's too, and nothing is left behind.
echo 'import multiprocessing as mp, subprocess, sys
def work():
    print("a child", flush=True)
    subprocess.run(["echo", "a child of a child"])
    print("an error", file=sys.stderr)
if __name__ == "__main__":
    process = mp.Process(target=work)
    process.start()
    process.join()' > output.py
python3 output.py > output 2> errors && cat output errors
ls -A /tmp
