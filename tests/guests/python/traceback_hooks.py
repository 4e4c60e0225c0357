import sys
def hook(kind, value, trace):
    print("hook", kind.__name__, value, trace.tb_frame.f_code.co_name)
sys.excepthook = hook
def inner(): raise LookupError("x")
inner()
