"""What is printed: tabulate, rich, tqdm, Pygments."""
import io
import sys

from pygments import highlight
from pygments.formatters import HtmlFormatter, NullFormatter, TerminalFormatter
from pygments.lexers import get_lexer_by_name, guess_lexer_for_filename
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.tree import Tree
from tabulate import tabulate
from tqdm import tqdm, trange

ROWS = [["Tea", 3, 1.5], ["Milk", None, 22.25]]
for style in ("simple", "github", "grid", "html", "latex"):
    print(tabulate(ROWS, headers=["item", "n", "price"], tablefmt=style))
print(tabulate([{"a": 1, "b": "é"}], headers="keys", tablefmt="pipe"), tabulate(ROWS, floatfmt=".1f", tablefmt="tsv"))
console = Console(width=60, force_terminal=False, file=sys.stdout)
table = Table(title="Prices")
table.add_column("item", style="cyan")
table.add_column("price", justify="right")
table.add_row("Tea", "1.50")
table.add_row("[bold]Milk[/bold]", "22.25")
console.print(table)
console.print(Panel(Text("in a box"), title="t"), Markdown("# Title\n\n- one\n- **two**\n\n`code`"))
tree = Tree("root")
tree.add("leaf").add("[red]deep[/red]")
console.print(tree)
console.print({"a": [1, 2], "b": {"c": None}}, [1] * 20)
console.print(Syntax("def f(x):\n    return x", "python", line_numbers=True))
colours = Console(width=40, force_terminal=True, color_system="standard", file=io.StringIO())
colours.print("[bold red]red[/] plain [link=https://example.com]link[/link]", highlight=False)
print(repr(colours.file.getvalue().partition("id=")[0]))
try:
    1 / 0
except ZeroDivisionError:
    shown = Console(width=70, file=io.StringIO())
    shown.print_exception()
    print("ZeroDivisionError: division by zero" in shown.file.getvalue(), "1 / 0" in shown.file.getvalue())
bar = io.StringIO()
print(sum(tqdm(range(4), file=bar, ascii=True, mininterval=0)), "4/4" in bar.getvalue(), list(trange(2, disable=True)))
with tqdm(total=10, file=bar, desc="load", unit="B") as progress:
    progress.update(4)
    progress.set_postfix(loss=0.5)
    progress.update(6)
print("load: 100%" in bar.getvalue(), "loss=0.5" in bar.getvalue(), tqdm.format_sizeof(123456))
code = "def f(n):\n    return f'{n}' # why\n"
print(highlight(code, get_lexer_by_name("python"), HtmlFormatter(nowrap=True)), end="")
print(highlight(code, guess_lexer_for_filename("a.py", code), NullFormatter()) == code)
print(repr(highlight('{"a": [1, true]}', get_lexer_by_name("json"), TerminalFormatter())))
print(".highlight .k " in HtmlFormatter().get_style_defs(".highlight"))
