"""Command lines with click."""
import click
from click.testing import CliRunner


@click.group()
@click.option("--verbose", "-v", count=True)
@click.version_option("1.2", prog_name="app")
@click.pass_context
def app(context, verbose):
    """An app."""
    context.obj = verbose


@app.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--times", default=1, show_default=True, type=click.IntRange(1, 3), help="How often.")
@click.option("--kind", type=click.Choice(["a", "b"]), default="a")
@click.option("--out", type=click.File("w"), default="-")
@click.pass_obj
def greet(verbose, names, times, kind, out):
    """Greet NAMES."""
    for name in names * times:
        click.echo(f"{kind} {verbose} hello {name}", file=out)
    click.secho("done", fg="green", err=True)


@app.command()
def ask():
    """Ask."""
    name = click.prompt("Name", default="x")
    if click.confirm("Sure?"):
        click.echo(f"yes {name}")


runner = CliRunner()
for line in ("--help", "greet --help", "--version", "-vv greet a b --times 2", "greet --times 9 a", "greet", "gret", "greet a --kind c"):
    result = runner.invoke(app, line.split())
    print(line, "->", result.exit_code)
    print(result.output, end="")
print(runner.invoke(app, ["ask"], input="me\ny\n").output)
print(runner.invoke(app, ["greet", "z", "--out", "/tmp/f"]).exit_code, open("/tmp/f").read())
print(click.style("x", bold=True).encode(), click.unstyle("\x1b[1mx\x1b[0m"))
