"""What code and commands return: results that show themselves in Jupyter, output, exceptions."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from . import _data
from ._data import Outcome
from ._shown import framed, pictured, plain, written

_TEXTS = ("text/", "image/svg+xml", "application/json", "application/javascript")
# What a notebook shows as it is. Code of a sandbox names its media types itself, and other types have scripts or are scripts.
_HARMLESS = ("image/png", "image/jpeg", "image/gif", "text/latex")


class Result:
    """Something that code showed with `display(…)`, or the value of its last expression: the same thing in one or more formats.

    `data` is a MIME bundle: a text for each media type, which is base64 where it is no text, as that of a PNG is. It is what the code
    made, and so are `html`, `svg` and the others: do not show it where its scripts would run.

    Jupyter shows it without them: text, pictures, JSON and LaTeX as they are, HTML in a frame of its own that runs no scripts and loads
    nothing, SVG as a picture, and Markdown as text. `str` and `repr` have escapes for what a terminal would act on.
    """

    def __init__(self, data: dict[str, str], is_main_result: bool = False) -> None:
        self.data: dict[str, str] = data
        self.is_main_result: bool = is_main_result

    def formats(self) -> list[str]:
        """Returns the media types that it has."""
        return list(self.data)

    @property
    def text(self) -> str | None:
        """It as plain text."""
        return self.data.get("text/plain")

    @property
    def html(self) -> str | None:
        """It as HTML."""
        return self.data.get("text/html")

    @property
    def markdown(self) -> str | None:
        """It as Markdown."""
        return self.data.get("text/markdown")

    @property
    def latex(self) -> str | None:
        """It as LaTeX."""
        return self.data.get("text/latex")

    @property
    def svg(self) -> str | None:
        """It as SVG."""
        return self.data.get("image/svg+xml")

    @property
    def png(self) -> str | None:
        """It as PNG, in base64."""
        return self.data.get("image/png")

    @property
    def jpeg(self) -> str | None:
        """It as JPEG, in base64."""
        return self.data.get("image/jpeg")

    @property
    def pdf(self) -> str | None:
        """It as PDF, in base64."""
        return self.data.get("application/pdf")

    @property
    def json(self) -> Any:
        """It as JSON, read; None if it has none, or it cannot be read."""
        try:
            return json.loads(self.data["application/json"])
        except (KeyError, ValueError, RecursionError):
            return None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {media_type: self.data[media_type] for media_type in _HARMLESS if media_type in self.data}
        text = None if self.text is None else plain(self.text)
        others = {"text/plain": text, "text/html": self._repr_html_(), "application/json": self.json}
        return bundle | {media_type: data for media_type, data in others.items() if data is not None}

    def _repr_html_(self) -> str | None:
        if self.html is not None:
            return framed(self.html)
        if self.svg is not None:
            return pictured(self.svg)
        return None if self.markdown is None else written(self.markdown)

    def _repr_latex_(self) -> str | None:
        return self.latex

    def _repr_png_(self) -> bytes | None:
        return None if self.png is None else base64.b64decode(self.png)

    def _repr_jpeg_(self) -> bytes | None:
        return None if self.jpeg is None else base64.b64decode(self.jpeg)

    def _repr_json_(self) -> Any:
        return self.json

    def __str__(self) -> str:
        return plain(f"<Result: {', '.join(self.data)}>" if self.text is None else self.text)

    def __repr__(self) -> str:
        return plain(f"Result({', '.join(self.data) if self.text is None else self.text})")


@dataclass(frozen=True)
class Logs:
    """What code wrote to its outputs, line by line, as text; U+FFFD stands for what is not UTF-8."""

    stdout: list[str] = field(default_factory=list[str])
    stderr: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Frame:
    """One call that led to an exception: the file or `<cell 3>`, the line, the function, and the text of the line."""

    file: str
    line: int | None
    function: str
    text: str | None


@dataclass(frozen=True)
class ExecutionError:
    """An exception that the code did not catch: the name of its type, what it says, and the interpreter's report."""

    name: str
    value: str
    traceback: str
    frames: tuple[Frame, ...] = ()

    def __str__(self) -> str:
        return plain(self.traceback)


@dataclass(frozen=True)
class Execution:
    """What code came to.

    `results` are what it showed, and at the end its value; `value` is the value of its last expression as Python shows it. `error` is
    the exception that it did not catch. `outcome` says how it ended: in `outcome.end`, whose doing that was.
    """

    results: list[Result]
    logs: Logs
    error: ExecutionError | None
    value: str | None
    outcome: Outcome = field(repr=False)
    execution_count: int | None = None
    exit: int | None = None
    timed_out: bool = False
    not_carried: tuple[str, ...] = ()

    @property
    def text(self) -> str | None:
        """The value of the last expression as plain text."""
        return next((result.text for result in self.results if result.is_main_result), None)

    @property
    def success(self) -> bool:
        """Whether it ended normally, without an exception."""
        return self.outcome.success

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if self.error is not None:
            return {"text/plain": plain(self.error.traceback)}
        if self.results:
            return self.results[-1]._repr_mimebundle_()
        return {"text/plain": plain("".join(self.logs.stdout + self.logs.stderr))}


@dataclass(frozen=True)
class CommandResult:
    """What a command came to: its outputs as text and as bytes, its exit code, and how it ended. A status other than 0 raises nothing."""

    stdout: str
    stderr: str
    exit_code: int
    outcome: Outcome = field(repr=False)
    stdout_bytes: bytes = field(default=b"", repr=False)
    stderr_bytes: bytes = field(default=b"", repr=False)

    @property
    def success(self) -> bool:
        """Whether it exited with 0."""
        return self.outcome.success


def command_result(parts: tuple[bytes, bytes, str]) -> CommandResult:
    """Returns the result of a command that has ended."""
    stdout, stderr, document = parts
    outcome = _data.outcome(json.loads(document))
    return CommandResult(_text(stdout), _text(stderr), outcome.exit_code, outcome, stdout, stderr)


def script_execution(parts: tuple[bytes, bytes, str]) -> Execution:
    """Returns what a script of the shell came to."""
    stdout, stderr, document = parts
    return Execution([], _logs(stdout, stderr), None, None, _data.outcome(json.loads(document)))


def execution(parts: tuple[bytes, bytes, str]) -> Execution:
    """Returns what an evaluation came to."""
    stdout, stderr, document = parts
    found = json.loads(document)
    results = _displays(found.get("displays", ()))
    if found["value"] is not None:
        data = {"text/plain": found["value"], **_bundle(found.get("representations", ()))}
        results.append(Result(data, is_main_result=True))
    return Execution(
        results=results,
        logs=_logs(stdout, stderr),
        error=_error(found["error"]) if found.get("error") else None,
        value=found["value"],
        outcome=_data.outcome(found),
        execution_count=found["number"],
        exit=found["exit"],
        timed_out=found["timed_out"],
        not_carried=tuple(found.get("not_carried", ())),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _logs(stdout: bytes, stderr: bytes) -> Logs:
    return Logs(_text(stdout).splitlines(keepends=True), _text(stderr).splitlines(keepends=True))


def _displays(displays: Any) -> list[Result]:
    """What was shown, each in its last state: a display can replace one with the same id."""
    shown: list[Result] = []
    places: dict[str, int] = {}
    for display in displays:
        result, id = Result(_bundle(display["representations"])), display.get("id")
        if id is not None and display.get("update") and id in places:
            shown[places[id]] = result
            continue
        if id is not None:
            places[id] = len(shown)
        shown.append(result)
    return shown


def _bundle(representations: Any) -> dict[str, str]:
    """The text of each media type, or base64 where that is no text."""
    bundle: dict[str, str] = {}
    for form in representations:
        media_type, text = form["media_type"], form.get("text")
        if text is None:
            bundle[media_type] = form["base64"]
        elif media_type.startswith(_TEXTS) or media_type.endswith(("+json", "+xml")):
            bundle[media_type] = text
        else:
            # Bytes of another type that happen to be UTF-8.
            bundle[media_type] = base64.b64encode(text.encode()).decode()
    return bundle


def _error(found: dict[str, Any]) -> ExecutionError:
    frames = tuple(Frame(frame["file"], frame["line"], frame["function"], frame["text"]) for frame in found["frames"])
    return ExecutionError(found["name"], found["message"], found["report"], frames)
