"""What a peer that is a Python does, for the benchmark that waits outside: a line of JSON in, a line of JSON out.

    peer.py speed         {"code": …}                     executes it and answers its seconds
    peer.py eryx FOLDER   {"calls": n, "every": seconds}  answers the seconds of n fresh calls, and the CPU time of all
"""

import json
import sys
import time


def speed():
    space = {"__name__": "__main__"}

    def answer(question):
        code = compile(question["code"], "<cell>", "exec")
        began = time.perf_counter()
        exec(code, space)
        return {"seconds": [time.perf_counter() - began]}
    return answer


def eryx(folder):
    sys.path.insert(0, folder)
    import eryx as library
    sandbox = library.Sandbox()  # "No - fresh each execute()", says its documentation

    def answer(question):
        seconds = []
        cpu = time.process_time()
        for _ in range(question["calls"]):
            time.sleep(question["every"])
            began = time.perf_counter()
            result = sandbox.execute("print(2+2)")
            seconds.append(time.perf_counter() - began)
            if result.stdout_text.strip() != "4":
                sys.exit(f"eryx answered {result.stdout_text!r}")
        return {"seconds": seconds, "cpu": time.process_time() - cpu}
    return answer


def main():
    answer = {"speed": speed, "eryx": eryx}[sys.argv[1]](*sys.argv[2:])
    out = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


main()
