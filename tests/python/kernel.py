"""Runs the guide's notebook in a kernel, and compares what its cells show with what the file has: `kernel.py [--bless]`, which writes it.

It needs nbclient and ipykernel, which `toolchain/just python --tools` has.
"""

import json
import sys
import tempfile

import nbformat
import notebook
from nbclient import NotebookClient
from traitlets.config import Config

SECONDS = 300  # for a cell


def executed():
    """The notebook, run from top to bottom by a kernel of its own."""
    whole = nbformat.read(notebook.PATH, 4)
    nbformat.validate(whole)
    with tempfile.TemporaryDirectory() as folder:
        config = Config()
        # Sockets of files: nobody else can connect.
        config.KernelManager.transport = "ipc"
        config.KernelManager.ip = f"{folder}/kernel"
        client = NotebookClient(whole, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": folder}}, config=config)
        return client.execute()


def lines(output):
    """An output as a file has it: texts of several lines are lists."""
    found = json.loads(json.dumps(output))
    for holder, name in [(found, "text"), *((found["data"], name) for name in found.get("data", {}))]:
        if isinstance(holder.get(name), str):
            holder[name] = holder[name].splitlines(keepends=True)
    return found


def main():
    """Run it, and write it or compare; 1 if it shows something else."""
    whole, ran, wrong, forms = notebook.read(), executed(), 0, set()
    cells = notebook.code_cells(whole)
    for cell, other in zip(cells, notebook.code_cells(ran), strict=True):
        was, now = notebook.shown(cell["outputs"]), notebook.shown(other["outputs"])
        forms |= {media_type for _, data in now if isinstance(data, dict) for media_type in data}
        if was != now:
            wrong += 1
            print(f"cell {cell['id']}:\n  the file has {was}\n  the kernel shows {now}")
        cell["outputs"], cell["execution_count"] = [lines(output) for output in other["outputs"]], other["execution_count"]
    print(f"{len(cells)} cells, with {', '.join(sorted(forms))}; {wrong} differ")
    if "--bless" in sys.argv[1:]:
        # As Jupyter writes it.
        notebook.PATH.write_text(json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
