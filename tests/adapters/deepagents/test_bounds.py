"""What an agent's commands cannot do, each beside what they can; how limits and mistakes are reported; what the machine's faults are."""

import asyncio
import subprocess

import pytest
from deepagents.backends import LocalShellBackend

from wisp_sandbox import EndedError, InfraError, Mount, Sandbox
from wisp_sandbox._data import End
from wisp_sandbox.adapters._common import check_host
from wisp_sandbox.adapters.deepagents import WispSandbox


@pytest.fixture
def backend():
    with WispSandbox() as backend:
        yield backend


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret.txt").write_text("s3cret")
    return tmp_path


def test_files_of_the_machine_are_there_only_if_they_are_mounted(backend, folder):
    path = str(folder / "secret.txt")
    assert backend.execute(f"cat {path}").exit_code == 1
    assert backend.download_files([path])[0].error == "file_not_found"
    with WispSandbox(Sandbox.create(mounts=[Mount(folder, "/mnt/in")])) as granted:
        assert granted.execute("cat /mnt/in/secret.txt").output == "s3cret"
        assert granted.download_files(["/mnt/in/secret.txt"])[0].content == b"s3cret"


@pytest.mark.parametrize("access", ["read", "overlay", "write"])
def test_a_mount_is_written_as_its_access_says(folder, access):
    with WispSandbox(Sandbox.create(mounts=[Mount(folder, "/mnt/in", access)])) as backend:
        wrote = backend.write("/mnt/in/secret.txt", "changed")
        assert (wrote.error is None) == (access != "read")
        assert (folder / "secret.txt").read_text() == ("changed" if access == "write" else "s3cret")


def test_a_link_leads_nowhere_out_of_a_mount(folder):
    (folder / "in").mkdir()
    (folder / "in" / "link").symlink_to(folder / "secret.txt")
    (folder / "in" / "inner").write_text("inner")
    (folder / "in" / "near").symlink_to("inner")
    with WispSandbox(Sandbox.create(mounts=[Mount(folder / "in", "/mnt/in")])) as backend:
        assert backend.download_files(["/mnt/in/link"])[0].content is None
        assert backend.execute("cat /mnt/in/link").exit_code != 0
        assert backend.download_files(["/mnt/in/near"])[0].content == b"inner"


def test_the_environment_of_the_machine_is_not_there(backend, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cret")
    assert "s3cret" not in backend.execute("env").output
    with WispSandbox(Sandbox.create(env={"GREETING": "hello"})) as granted:
        assert granted.execute('echo "$GREETING"').output == "hello\n"


def test_there_is_no_network_and_the_denial_names_the_rule(backend):
    response = backend.execute("curl -sS http://example.org/")
    assert response.exit_code == 7 and "denied by wisp" in response.output
    assert backend.sandbox.receipts[-1].verdict == "denied"
    # Within the sandbox, at localhost, there is one.
    server = "python -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1 &"
    asked = "until curl -sS http://localhost:8000/index.html 2>/dev/null; do sleep 0.01; done"
    assert backend.execute(f"echo here > index.html; {server}\n{asked}; kill %1", timeout=30).output.startswith("here\n")


def test_a_command_is_ended_after_its_time_and_says_so(backend):
    response = backend.execute("echo begun; sleep 60; echo ended", timeout=1)
    assert response.exit_code == 124
    assert response.output == "begun\n[ended by limits.wall = 1s (host program)]\n"
    assert backend.execute("echo begun; sleep 0.1; echo ended", timeout=20).output == "begun\nended\n"
    assert backend.execute("echo no limit of its own", timeout=0).exit_code == 0


def test_the_policys_limit_is_above_what_a_model_asks_for():
    with WispSandbox(Sandbox.create(timeout=1)) as backend:
        response = backend.execute("sleep 60", timeout=3000)
        assert response.exit_code == 124 and "limits.wall = 1s" in response.output


def test_a_flood_of_output_is_cut_and_said_to_be(backend):
    response = backend.execute("yes | head -c 30000000")
    assert response.truncated and "limits.stdout = 16MiB" in response.output
    assert not backend.execute("yes | head -c 3000000").truncated


def test_memory_is_bounded(backend):
    response = backend.execute("python -c 'len(bytearray(2 << 30))' || echo survived")
    assert "survived" in response.output
    assert backend.execute("python -c 'print(len(bytearray(1 << 20)))'").output == "1048576\n"


def test_both_outputs_come_in_their_order_and_the_script_is_as_it_is_written(backend):
    assert backend.execute("echo a; echo b >&2; echo c").output == "a\nb\nc\n"
    assert "line 2" in backend.execute("true\n)").output
    assert backend.execute("cat <<'END'\n$HOME \"'\nEND\nexit 9").output == "$HOME \"'\n"
    assert backend.execute('echo "$0 $#"').output == "bash 0\n"
    assert backend.execute("").exit_code == 0


def test_mistakes_with_files_have_the_names_of_deepagents(backend):
    backend.execute("mkdir /tmp/d; echo x > /tmp/f; echo x > /tmp/none; chmod 000 /tmp/none")
    errors = {"relative": "invalid_path", "/tmp/d": "is_directory", "/tmp/nothing": "file_not_found", "/tmp/none": "permission_denied",
              "/tmp/f/x": "file_not_found", "/tmp/a\0b": "invalid_path"}
    assert {found.path: found.error for found in backend.download_files(list(errors))} == errors
    assert {found.path: found.error for found in asyncio.run(backend.adownload_files(list(errors)))} == errors
    errors = {"relative": "invalid_path", "/tmp/d": "is_directory", "/tmp/new/x": None, "/tmp/none": "permission_denied", "/tmp/f/x": "invalid_path",
              "/etc/passwd": "permission_denied", "/tmp/a\0b": "invalid_path"}
    assert {found.path: found.error for found in backend.upload_files([(path, b"") for path in errors])} == errors
    assert {found.path: found.error for found in asyncio.run(backend.aupload_files([(path, b"") for path in errors]))} == errors


def test_globs_and_writes_are_what_deepagents_own_backend_makes_them(backend, tmp_path):
    """The seven tests of LangChain's that are expected to fail ask for something else."""
    script = "mkdir -p g/dir && touch g/file1.txt g/file2.txt g/file10.txt g/.hidden g/dir/deep.txt"
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True)
    backend.execute(script)
    own = LocalShellBackend(root_dir=str(tmp_path), virtual_mode=False)
    for pattern in ("*", "*.txt", ".*", "file[1-2].txt", "file?.txt", "**/*.txt"):
        ours = sorted(match["path"].removeprefix("/home/user") for match in backend.glob(pattern, path="/home/user/g").matches)
        theirs = sorted(match["path"].removeprefix(str(tmp_path)) for match in own.glob(pattern, path=f"{tmp_path}/g").matches)
        assert ours == theirs and all(path.startswith("/g/") for path in ours), pattern
    for each, root in ((backend, "/home/user"), (own, str(tmp_path))):
        assert each.write(f"{root}/g/file1.txt", "over").error is None


def test_a_cancelled_command_ends(backend):
    async def cancelled():
        task = asyncio.create_task(backend.aexecute("echo $$ > /tmp/pid; exec sleep 3000"))
        while not backend.sandbox.files.exists("/tmp/pid"):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert backend.execute("kill -0 $(cat /tmp/pid)").exit_code != 0


def test_what_is_closed_is_an_error_and_no_result(backend):
    backend.close()
    with pytest.raises(EndedError):
        backend.execute("true")
    assert backend.upload_files([("/tmp/x", b"")])[0].error


def test_a_fault_of_the_machine_is_no_result():
    with pytest.raises(InfraError):
        check_host(End("infra", error_code="internal", message="no memory"))
    check_host(End("exit", code=1))


async def test_a_fault_of_the_machine_is_no_answer_about_a_file(backend, monkeypatch):
    def failing(*_):
        raise InfraError({"code": "host_memory", "fault": "host", "retryable": True, "message": "no memory"})

    for files in (backend.sandbox.files, backend.async_sandbox.files):
        monkeypatch.setattr(type(files), "read", failing)
        monkeypatch.setattr(type(files), "write", failing)
    for ask in (lambda: backend.download_files(["/tmp/x"]), lambda: backend.upload_files([("/tmp/x", b"")])):
        with pytest.raises(InfraError):
            ask()
    for asked in (backend.adownload_files(["/tmp/x"]), backend.aupload_files([("/tmp/x", b"")])):
        with pytest.raises(InfraError):
            await asked
