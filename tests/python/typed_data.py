"""What the calls of the package return, and the types of all that is in it; as typed.py, type checkers read it."""

import os
from typing import Any, Literal, assert_type

from wisp_sandbox import (
    Artifact,
    Artifacts,
    CommandInfo,
    CommandResult,
    Diff,
    End,
    Execution,
    ExecutionError,
    FileChange,
    FileDifference,
    FileInfo,
    FileInfos,
    FileVersion,
    Finding,
    Frame,
    FunctionInfo,
    LimitHit,
    Logs,
    Mount,
    Outcome,
    OutputChunk,
    PatchedFile,
    Receipt,
    Result,
    Transferred,
    Usage,
    WispError,
)


def function_infos(info: FunctionInfo) -> None:
    assert_type(info.name, str)
    assert_type(info.documentation, str)
    assert_type(info.parameters, dict[str, Any] | None)
    assert_type(info.returns, dict[str, Any] | None)
    assert_type(info.items, bool)
    assert_type(info.rule, str)


def command_infos(info: CommandInfo) -> None:
    assert_type(info.id, int)
    assert_type(info.command, str)
    assert_type(info.processes, tuple[int, ...])
    assert_type(info.tag, str | None)
    assert_type(info.exit_code, int | None)


def chunks(chunk: OutputChunk) -> None:
    assert_type(chunk.offset, int)
    assert_type(chunk.data, bytes)
    assert_type(chunk.end, bool)
    assert_type(chunk.next_offset, int)
    assert_type(chunk.text, str)


def file_infos(info: FileInfo) -> None:
    assert_type(info.path, str)
    assert_type(info.type, Literal["file", "directory", "symlink", "device", "pipe", "socket", "special"])
    assert_type(info.size_bytes, int)
    assert_type(info.mode, int)
    assert_type(info.mtime_ns, int)
    assert_type(info.name, str)
    assert_type(info.is_dir, bool)


def listings(infos: FileInfos) -> None:
    assert_type(infos.left_out, tuple[str, ...])
    for info in infos:
        assert_type(info, FileInfo)
    plain: list[FileInfo] = infos
    plain.sort(key=lambda info: info.size_bytes)


def transfers(transferred: Transferred) -> None:
    assert_type(transferred.files, int)
    assert_type(transferred.bytes, int)
    assert_type(transferred.left_out, tuple[str, ...])


def diffs(diff: Diff) -> None:
    assert_type(diff.path, str)
    assert_type(diff.files, tuple[FileDifference, ...])
    assert_type(diff.truncated, bool)
    assert_type(bytes(diff), bytes)
    assert_type(str(diff), str)


def differences(difference: FileDifference) -> None:
    assert_type(difference.path, str)
    assert_type(difference.kind, Literal["added", "modified", "deleted", "mode", "link"])
    assert_type(difference.before, FileVersion | None)
    assert_type(difference.after, FileVersion | None)
    assert_type(difference.mount, str | None)
    assert_type(difference.patch, bytes | None)
    assert_type(difference.added, int)
    assert_type(difference.removed, int)
    assert_type(difference.form, Literal["lines", "binary", "too_large", "sentence"] | None)
    assert_type(difference.text, str | None)


def file_versions(version: FileVersion) -> None:
    assert_type(version.type, Literal["file", "directory", "symlink", "device", "pipe", "socket", "special"])
    assert_type(version.mode, int)
    assert_type(version.size_bytes, int | None)
    assert_type(version.target, str | None)


def patched_files(patched: PatchedFile) -> None:
    assert_type(patched.path, str)
    assert_type(patched.change, Literal["created", "modified", "deleted", "renamed", "copied"])
    assert_type(patched.old_path, str | None)
    assert_type(patched.hunks, int)
    assert_type(patched.offset, int)


def file_changes(change: FileChange) -> None:
    assert_type(change.number, int)
    assert_type(change.kind, Literal["created", "written", "attributes", "removed", "renamed", "lost", "restored"])
    assert_type(change.path, str | None)
    assert_type(change.old_path, str | None)
    assert_type(change.lost, int)


def executions(execution: Execution) -> None:
    assert_type(execution.results, list[Result])
    assert_type(execution.logs, Logs)
    assert_type(execution.error, ExecutionError | None)
    assert_type(execution.value, str | None)
    assert_type(execution.outcome, Outcome)
    assert_type(execution.execution_count, int | None)
    assert_type(execution.exit, int | None)
    assert_type(execution.timed_out, bool)
    assert_type(execution.not_carried, tuple[str, ...])
    assert_type(execution.text, str | None)
    assert_type(execution.success, bool)


def results(result: Result) -> None:
    assert_type(result.data, dict[str, str])
    assert_type(result.is_main_result, bool)
    assert_type(result.formats(), list[str])
    for form in (result.text, result.html, result.markdown, result.latex, result.svg, result.png, result.jpeg, result.pdf):
        assert_type(form, str | None)
    assert_type(result.json, Any)


def logs(logs: Logs) -> None:
    assert_type(logs.stdout, list[str])
    assert_type(logs.stderr, list[str])


def execution_errors(error: ExecutionError) -> None:
    assert_type(error.name, str)
    assert_type(error.value, str)
    assert_type(error.traceback, str)
    assert_type(error.frames, tuple[Frame, ...])


def frames(frame: Frame) -> None:
    assert_type(frame.file, str)
    assert_type(frame.line, int | None)
    assert_type(frame.function, str)
    assert_type(frame.text, str | None)


def command_results(result: CommandResult) -> None:
    assert_type(result.stdout, str)
    assert_type(result.stderr, str)
    assert_type(result.exit_code, int)
    assert_type(result.outcome, Outcome)
    assert_type(result.stdout_bytes, bytes)
    assert_type(result.stderr_bytes, bytes)
    assert_type(result.success, bool)


def outcomes(outcome: Outcome) -> None:
    assert_type(outcome.end, End)
    assert_type(outcome.exit_code, int)
    assert_type(outcome.limit, LimitHit | None)
    assert_type(outcome.files, tuple[Artifact, ...])
    assert_type(outcome.files_left_out, tuple[str, ...])
    assert_type(outcome.files_left_out_reasons, tuple[str, ...])
    assert_type(outcome.execution_time, float)
    assert_type(outcome.usage, Usage)
    assert_type(outcome.receipts, tuple[Receipt, ...])
    assert_type(outcome.receipts_left_out, int)
    assert_type(outcome.world, str)
    assert_type(outcome.success, bool)


def ends(end: End) -> None:
    assert_type(end.kind, Literal["exit", "signal", "limit", "denied", "infra"])
    assert_type(end.code, int | None)
    assert_type(end.signal, int | None)
    assert_type(end.limit, LimitHit | None)
    assert_type(end.subject, str | None)
    assert_type(end.rule, str | None)
    assert_type(end.error_code, str | None)
    assert_type(end.message, str | None)


def limit_hits(hit: LimitHit) -> None:
    assert_type(hit.limit, str)
    assert_type(hit.value, str)
    assert_type(hit.rule, str)
    assert_type(hit.ended, bool)


def usages(usage: Usage) -> None:
    assert_type(usage.cpu, float)
    assert_type(usage.peak_memory_bytes, int)
    assert_type(usage.processes, int)


def output_files(artifacts: Artifacts) -> None:
    assert_type(artifacts.left_out, tuple[str, ...])
    assert_type(artifacts.reasons, tuple[str, ...])
    for artifact in artifacts:
        assert_type(artifact, Artifact)


def artifacts(artifact: Artifact) -> None:
    assert_type(artifact.path, str)
    assert_type(artifact.mime_type, str)
    assert_type(artifact.size_bytes, int)
    assert_type(artifact.sha256, str)
    assert_type(artifact.title, str | None)


def receipts(receipt: Receipt) -> None:
    assert_type(receipt.kind, str)
    assert_type(receipt.subject, str)
    assert_type(receipt.verdict, Literal["allowed", "denied"])
    assert_type(receipt.rule, str)
    assert_type(receipt.count, int)
    assert_type(receipt.process, int)
    assert_type(receipt.time_ns, int)
    assert_type(receipt.http, dict[str, Any] | None)


def mounts(mount: Mount) -> None:
    assert_type(mount.host, str | os.PathLike[str])
    assert_type(mount.guest, str)
    assert_type(mount.access, Literal["read", "write", "overlay"])


def findings(finding: Finding) -> None:
    assert_type(finding.file, str)
    assert_type(finding.message, str)
    assert_type(finding.line, int | None)
    assert_type(finding.column, int | None)
    assert_type(finding.label, str | None)
    assert_type(finding.help, str | None)


def errors(error: WispError) -> None:
    assert_type(error.code, str)
    assert_type(error.fault, str)
    assert_type(error.retryable, bool)
    assert_type(error.findings, tuple[Finding, ...])
