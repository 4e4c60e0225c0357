"""Entry of the component `python3`: the module that componentize-py imports, warms up and takes its snapshot of."""

from _wisp import recording

recording.begin()  # before all other imports

from _wisp import own_ssl  # before all that asks for `ssl`
from wit_world import exports

from _wisp import install, kernel, relocate, start, warm


class Run(exports.Run):
    """`wasi:cli/run`."""

    def run(self):
        """Run `python3`; ends the process."""
        start.main()


class Kernel(exports.Kernel):
    """`wisp:sandbox/kernel`."""

    def eval(self, source, setting):
        """Evaluate a cell."""
        return kernel.evaluate(source, setting)

    def park(self):
        """Get ready for a snapshot."""
        return kernel.park()


warm.load()
install.install()
relocate.relocate()
warm.run()
warm.settle(Kernel().eval)
