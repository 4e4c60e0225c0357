def f(x):
    return 1 / x
def g():
    f(0)
g()
