import logging, sys, warnings
logging.basicConfig(stream=sys.stdout, format="%(filename)s:%(lineno)d:%(funcName)s %(message)s", level=logging.INFO)
def work():
    logging.info("from work")
work()
logging.getLogger("x").warning("from the module", stacklevel=1)
def old():
    warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old()
print(caught[0].filename, caught[0].lineno)
