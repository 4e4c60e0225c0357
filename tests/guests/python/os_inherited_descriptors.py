import os, subprocess
r, w = os.pipe()
p = subprocess.Popen(["sh", "-c", f"echo through {'fd'} >&{w}"], pass_fds=[w]) if False else subprocess.Popen(["python3", "-c", f"import os; os.write({w}, b'by number')"], pass_fds=[w])
os.close(w); print(os.read(r, 100), p.wait())
r, w = os.pipe(); p = subprocess.Popen(["cat"], stdin=r, stdout=subprocess.PIPE); os.close(r); os.write(w, b"raw number"); os.close(w); print(p.communicate()[0])
os.system("python3 -c 'import os; print(os.read(3, 20))' 3< /etc/passwd")
