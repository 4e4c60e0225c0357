"""hashlib.scrypt, as RFC 7914 has it; syslog to standard error."""
import hashlib
import subprocess
import sys

for password, salt, n, r, p in ((b"", b"", 16, 1, 1), (b"password", b"NaCl", 1024, 8, 16), (b"pleaseletmein", b"SodiumChloride", 16384, 8, 1)):
    print(hashlib.scrypt(password, salt=salt, n=n, r=r, p=p, maxmem=1 << 26, dklen=64).hex())
print(hashlib.scrypt(b"x", salt=b"y", n=2, r=1, p=1, dklen=5).hex())
for options in ({"n": 3, "r": 1, "p": 1}, {"n": 1 << 20, "r": 8, "p": 1}, {"n": 2, "r": 0, "p": 1}):
    try:
        print(hashlib.scrypt(b"x", salt=b"y", **options))
    except ValueError as error:
        print(type(error).__name__)
LINES = """
import syslog
syslog.openlog("tool", 0, syslog.LOG_DAEMON)
syslog.syslog("hello")
print(syslog.setlogmask(syslog.LOG_UPTO(syslog.LOG_WARNING)))
syslog.syslog(syslog.LOG_ERR | syslog.LOG_USER, "kept")
syslog.syslog(syslog.LOG_DEBUG, "left out")
"""
done = subprocess.run([sys.executable, "-c", LINES], capture_output=True, text=True)
print(done.stdout.strip(), done.stderr.split("\n"))
