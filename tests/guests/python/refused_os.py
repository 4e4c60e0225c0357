import os, signal
for name in ("fork", "setuid", "chroot", "getsid", "nosuch"):
    try: getattr(os, name); print(name)
    except AttributeError as e: print(e)
for name in ("sigwaitinfo", "SIGRTMIN", "nosuch"):
    try: getattr(signal, name)
    except AttributeError as e: print(e)
print(hasattr(os, "fork"), hasattr(signal, "alarm"))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.signal(signal.SIGTERM, lambda *a: print("handler", a[0])))
os.kill(os.getpid(), signal.SIGTERM)
try: os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt: print("KeyboardInterrupt")
