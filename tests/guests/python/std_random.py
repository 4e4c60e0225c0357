import random, secrets, uuid, os, subprocess, sys, tempfile
def other(code): return subprocess.check_output([sys.executable, "-c", code], text=True)
for code in ("import random; print(random.random())", "import uuid; print(uuid.uuid4())", "import secrets; print(secrets.token_hex())", "import os; print(os.urandom(16))", "import random; print(random.SystemRandom().random())", "import tempfile; print(tempfile.mktemp())"):
    print(len({other(code) for _ in range(3)}), code.split()[1])
random.seed(7); a = random.random(); random.seed(7); print(a == random.random(), uuid.uuid4().version, len(uuid.uuid1().hex), uuid.uuid5(uuid.NAMESPACE_DNS, "x"))
