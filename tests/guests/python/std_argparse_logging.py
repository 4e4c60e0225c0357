import argparse, logging, sys, io
p = argparse.ArgumentParser(prog="tool", description="d"); p.add_argument("file"); p.add_argument("-n", type=int, default=3, help="number"); p.add_argument("--flag", action="store_true")
print(p.parse_args(["x", "-n", "5", "--flag"])); p.print_help()
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s"); logging.info("hello %s", "w"); logging.debug("no"); logging.getLogger("a.b").warning("warn")
try: 1 / 0
except ZeroDivisionError: logging.exception("failed")
p.parse_args(["x", "-n", "bad"])
