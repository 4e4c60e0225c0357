import traceback
for source in ("def f(:\n  pass", "x = (1,\ny y", "print 'a'", "if True:\nx", "a = 'unterminated", "for i in range(3) print(i)"):
    try: compile(source, "snippet.py", "exec")
    except SyntaxError: print(traceback.format_exc(limit=0), end="")
