"""Python starts the tools of the sandbox."""
import subprocess
import sys

print(subprocess.run("echo hi | tr a-z A-Z", shell=True, capture_output=True, text=True, check=True).stdout.strip())
print(subprocess.check_output(["wc", "-c"], input=b"12345").decode().strip())
print(subprocess.run(["sh", "-c", "exit 7"]).returncode)
print(sys.stdin.read().strip())
