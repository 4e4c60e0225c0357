"""Environments for Hugging Face TRL: `GRPOTrainer(environment_factory=…)` with a class that stands on `WispEnvironment`.

`reset` opens a fork of a checkpoint that the whole process shares, and each tool that the model calls is a step in it.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from .. import CommandResult, Execution, InfraError
from ..rollouts import Limits, Session
from ._common import missing, with_note
from ._trainers import Start, wait

if importlib.util.find_spec("trl") is None:
    raise missing("trl", "trl")

__all__ = ["Box", "WispEnvironment", "unless_fault"]

_EPISODES = itertools.count()


class Box:
    """The episode of an environment, for its rewards and its own tools, without an event loop.

    Whatever is asked of it after wisp or the machine has failed raises that `InfraError`.
    """

    def __init__(self, session: Session) -> None:
        self.session: Session = session

    def code(self, code: str, *, timeout: float | None = None) -> Execution:
        """Runs a cell of Python code in the episode's live interpreter."""
        return wait(self.session.run_code(code, timeout=timeout))

    def run(self, command: str | Sequence[str], *, timeout: float | None = None) -> CommandResult:
        """Runs a command to its end."""
        return wait(self.session.run(command, timeout=timeout))

    def write(self, path: str, data: str | bytes) -> None:
        """Writes a file."""
        wait(self.session.write(path, data))

    def read(self, path: str) -> bytes:
        """Reads a file."""
        return wait(self.session.read(path))


class WispEnvironment:
    """An environment of TRL with the tools `python` and `bash`. A subclass says what episodes start from, and scores them.

        class Sums(WispEnvironment):
            setup = ["rows = [1, 2, 3]"]

            def get_reward(self) -> float:
                return float(self.box.code("answer").value == "6")

    TRL makes a tool of every public method of the subclass but `reset` and `get_reward`: names that begin with `_` are none. `get_reward` is not
    called for an episode that wisp or the machine has spoilt: it gives None, which TRL leaves out of the group.
    """

    policy: ClassVar[str] = "offline"
    """The name of a policy of wisp's, a path, or TOML text."""
    setup: ClassVar[Sequence[str]] = ()
    """Cells of Python code that each episode has run when it begins."""
    files: ClassVar[Mapping[str, str | bytes]] = {}
    """Contents of files by their paths."""
    limits: ClassVar[Limits] = Limits()
    """What each step (`wall`) and each episode (the others) may use."""
    seed: ClassVar[int] = 0
    """From which the seeds of all episodes come."""
    attempts: ClassVar[int] = 6
    """How often something is tried that fails by a fault of wisp or the machine."""
    max_output: ClassVar[int] = 8000
    """So many characters of what a tool says the model gets: their beginning and their end."""

    def __init__(self) -> None:
        self._box: Box | None = None
        self._fault: InfraError | None = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "get_reward" in cls.__dict__:
            scoring = cls.__dict__["get_reward"]
            cls.get_reward = _careful(scoring)  # type: ignore[attr-defined]

    @property
    def box(self) -> Box:
        """The episode that runs, or ran last."""
        if self._fault is not None:
            raise self._fault
        if self._box is None:
            raise RuntimeError("there is no episode: call `reset`")
        return self._box

    @property
    def fault(self) -> InfraError | None:
        """What has spoilt the episode, if it was wisp or the machine."""
        return self._fault if self._box is None else self._box.session.fault

    def reset(self, **row: Any) -> Any:
        """Begins an episode: ends the last one, and opens a fork of the checkpoint. A subclass may do more, and return a text for the model."""
        last, self._box, self._fault = self._box, None, None
        if last is not None:
            wait(last.session.close())
        start = Start(self.policy, tuple(self.setup), dict(self.files), seed=self.seed, attempts=self.attempts)
        try:
            self._box = Box(wait(start.session(f"{type(self).__qualname__}/{next(_EPISODES)}", self.limits)))
        except InfraError as error:
            # TRL would end the training here: only this episode has no reward.
            self._fault = error.with_traceback(None)

    def python(self, code: str) -> str:
        """
        Run Python code in an interpreter whose state stays, and return what it prints and the value of its last expression.

        Args:
            code: The Python code to run.

        Returns:
            What the code printed, and its value or its exception.
        """
        found = self.box.code(code)
        shown = "".join([*found.logs.stdout, *found.logs.stderr])
        shown += found.error.traceback if found.error is not None else "" if found.value is None else f"{found.value}\n"
        return self._cut(with_note(shown, found.outcome.end))

    def bash(self, command: str) -> str:
        """
        Run a bash command, and return its combined standard output and standard error.

        Args:
            command: The bash command to run.

        Returns:
            What the command wrote, and its exit code if that is not 0.
        """
        found = self.box.run(["bash", "-c", command])
        shown = with_note(found.stdout + found.stderr, found.outcome.end)
        return self._cut(shown if found.exit_code == 0 else f"{shown}[exit code {found.exit_code}]\n")

    def _cut(self, text: str) -> str:
        half = self.max_output // 2
        return text if len(text) <= self.max_output else f"{text[:half]}\n[… {len(text) - 2 * half} characters …]\n{text[-half:]}"


def _careful(scoring: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a `get_reward` that gives None for what wisp or the machine has spoilt, before or while it is scored."""
    if inspect.iscoroutinefunction(scoring):

        @functools.wraps(scoring)
        async def later(self: WispEnvironment) -> Any:
            try:
                return None if self.fault is not None else await scoring(self)
            except InfraError:
                return None

        return later

    @functools.wraps(scoring)
    def now(self: WispEnvironment) -> Any:
        try:
            return None if self.fault is not None else scoring(self)
        except InfraError:
            return None

    return now


def unless_fault(reward: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Returns a reward function of TRL that gives None for each episode that wisp or the machine has spoilt: `@unless_fault`.

    For those in `reward_funcs`, which score texts that a spoilt episode has too.
    """

    if inspect.iscoroutinefunction(reward):

        @functools.wraps(reward)
        async def later(*words: Any, **more: Any) -> list[Any]:
            return _spared(await reward(*words, **more), more)

        return later  # type: ignore[return-value]

    @functools.wraps(reward)
    def now(*words: Any, **more: Any) -> list[Any]:
        return _spared(reward(*words, **more), more)

    return now


def _spared(scores: list[Any], more: Mapping[str, Any]) -> list[Any]:
    environments = more.get("environments") or [None] * len(scores)
    return [None if getattr(environment, "fault", None) is not None else score for environment, score in zip(environments, scores, strict=True)]
