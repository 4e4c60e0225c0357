"""Entry of the component `python3`: the module that componentize-py imports, warms up and takes its snapshot of."""

from _wisp import recording

recording.begin()  # before all other imports

from _wisp import own_errors  # before all that keeps a number of `errno`
from _wisp import own_threads  # before all that makes a lock
from _wisp import own_sockets  # before all that asks for `socket`
from _wisp import own_ssl  # before all that asks for `ssl`
import _wisp_sqlite  # before all that asks for `sqlite3`
from wit_world import exports

from _wisp import evaluations, install, relocate, start, warm


class Run(exports.Run):
    """`wasi:cli/run`."""

    def run(self):
        """Run `python3`; ends the process."""
        start.main()


class Evaluation(exports.Evaluation):
    """`wisp:sandbox/evaluation`."""

    def eval(self, source, setting):
        """Evaluate a cell."""
        return evaluations.evaluate(source, setting)

    def park(self):
        """Get ready for a snapshot."""
        return evaluations.park()


warm.load()
install.install()
relocate.relocate()
warm.run()
warm.settle(Evaluation().eval)
