import atexit, sys, weakref
class Late:
    def __del__(self): print("finalizer")
keep = Late()
atexit.register(print, "atexit 1")
atexit.register(lambda: print("atexit 2"))
unclosed = open("/tmp/unclosed.txt", "w")
unclosed.write("flushed at exit")
print("end of program")
sys.exit(5)
