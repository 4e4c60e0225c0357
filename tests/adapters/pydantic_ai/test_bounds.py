"""What commands of a workspace cannot do, each beside what they can; limits; references that lead nowhere."""

import errno
import json

import pytest
from pydantic_ai.exceptions import UserError
from pydantic_ai.workspaces import (
    Workspace,
    WorkspaceOutputLimitError,
    WorkspaceRef,
    WorkspaceTimeoutError,
    WorkspaceUnavailableError,
)

from wisp_sandbox import InfraError, Mount, Policy
from wisp_sandbox._data import End
from wisp_sandbox.adapters.pydantic_ai import WispSandbox, WispWorkspace

pytestmark = pytest.mark.anyio
POLICY = """extends = "offline"
[[network.allow]]
url = "https://api.example/"
[[network.secret]]
host = "api.example"
header = "Authorization"
value_from_env = "TOKEN"
"""


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def open_workspace():
    """Opens workspaces, and closes their sandboxes in the end."""
    made = []

    def make(**options):
        capability = WispSandbox(**options)
        backend = capability.backend()
        made.append((capability, backend))
        return Workspace(backend)

    yield make
    for capability, backend in made:
        if backend.ref is not None:
            await capability.destroy(backend.ref)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret.txt").write_text("s3cret")
    return tmp_path


async def test_files_of_the_machine_are_there_only_if_they_are_mounted(open_workspace, folder):
    path = str(folder / "secret.txt")
    without, granted = open_workspace(), open_workspace(mounts=[Mount(folder, "/mnt/in")])
    with pytest.raises(FileNotFoundError):
        await without.read_bytes(path)
    assert (await without.run(["cat", path])).exit_code == 1
    assert await granted.read_text("/mnt/in/secret.txt") == "s3cret"
    with pytest.raises(PermissionError):
        await granted.write_text("/mnt/in/secret.txt", "changed")


@pytest.mark.parametrize(("access", "text"), [("overlay", "s3cret"), ("write", "changed")])
async def test_a_mount_is_written_as_its_access_says(open_workspace, folder, access, text):
    workspace = open_workspace(mounts=[Mount(folder, "/mnt/in", access)])
    await workspace.write_text("/mnt/in/secret.txt", "changed")
    assert await workspace.read_text("/mnt/in/secret.txt") == "changed"
    assert (folder / "secret.txt").read_text() == text


async def test_a_link_leads_nowhere_out_of_a_mount(open_workspace, folder):
    (folder / "in").mkdir()
    (folder / "in" / "link").symlink_to(folder / "secret.txt")
    (folder / "in" / "inner").write_text("inner")
    (folder / "in" / "near").symlink_to("inner")
    workspace = open_workspace(mounts=[Mount(folder / "in", "/mnt/in")])
    with pytest.raises(OSError):
        await workspace.read_bytes("/mnt/in/link")
    assert await workspace.read_text("/mnt/in/near") == "inner"


async def test_the_environment_of_the_machine_is_not_there(open_workspace, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    assert "s3cret" not in (await open_workspace().run(["env"])).stdout
    assert "GREETING=hello" in (await open_workspace(env={"GREETING": "hello"}).run(["env"])).stdout


async def test_a_policys_limits_are_named(open_workspace):
    workspace = open_workspace(timeout=1)
    result = await workspace.run("echo begun; sleep 60", shell=True)
    assert (result.exit_code, result.stdout, result.stderr) == (124, "begun\n", "[ended by limits.wall = 1s (host program)]\n")
    with pytest.raises(WorkspaceTimeoutError, match=r"limits\.wall = 1s") as caught:
        await workspace.run("echo begun; sleep 60", shell=True, timeout=50)
    assert caught.value.stdout == "begun\n"
    with pytest.raises(WorkspaceOutputLimitError, match=r"limits\.stdout") as caught:
        await workspace.run("yes | head -c 30000000", shell=True)
    assert caught.value.limit == 16 << 20 and caught.value.stdout.startswith("y\n")
    assert len((await workspace.run("yes | head -c 3000000", shell=True)).stdout) == 3000000


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True])
async def test_a_time_that_is_none(open_workspace, timeout):
    with pytest.raises(ValueError):
        await open_workspace().backend.run(["true"], timeout=timeout)


async def test_programs_that_cannot_be_started_are_results(open_workspace):
    workspace = open_workspace()
    assert (await workspace.run(["/etc/passwd"])).exit_code == 126
    assert (await workspace.run(["apt", "install", "gcc"])).exit_code == 127
    with pytest.raises(ValueError):
        await workspace.run([])


async def test_paths_that_are_not_absolute_are_refused_by_the_backend(open_workspace):
    backend = open_workspace().backend
    for call in (backend.read_bytes, backend.stat, backend.list_dir, backend.make_dir, backend.remove, backend.exists, backend.realpath):
        with pytest.raises(ValueError):
            await call("relative")


async def test_nothing_above_the_working_directory_is_removed_through_a_link(open_workspace):
    workspace = open_workspace()
    await workspace.run("ln -s /home /tmp/up; mkdir sub; ln -s sub near", shell=True)
    for path in ("/tmp/up/user", "/home/user/../user/.", "/home/user/sub/.."):
        with pytest.raises(ValueError):
            await workspace.backend.remove(path)
    await workspace.remove("near")
    assert await workspace.exists("sub")
    await workspace.remove("/tmp/up")
    assert await workspace.exists("/home/user/sub")


async def test_a_reference_leads_to_no_sandbox_of_another_policy(open_workspace):
    backend = open_workspace(policy=POLICY, secrets={"TOKEN": "s3cret"}).backend
    await backend.working_dir()
    with pytest.raises(WorkspaceUnavailableError, match="another policy"):
        await WispSandbox().backend(backend.ref).working_dir()
    same = WispSandbox(policy=POLICY, secrets={"TOKEN": "s3cret"})
    assert await same.backend(backend.ref).working_dir() == "/home/user"


async def test_a_reference_and_what_is_shown_have_no_secret(open_workspace):
    capability = WispSandbox(policy=POLICY, secrets={"TOKEN": "s3cret"}, env={"A": "s3cret"}, files={"a": "s3cret"})
    backend = capability.backend()
    await backend.working_dir()
    shown = repr(capability) + repr(backend) + repr(backend.ref) + json.dumps(vars(backend.ref)) + capability.get_instructions()
    assert "s3cret" not in shown
    assert (await backend.run("echo $TOKEN", shell=True)).stdout not in ("s3cret\n", "\n")
    await capability.destroy(backend.ref)


async def test_references_that_lead_nowhere():
    capability = WispSandbox()
    with pytest.raises(WorkspaceUnavailableError):
        await capability.backend(WorkspaceRef(provider="wisp", id="0" * 32)).working_dir()
    other = WorkspaceRef(provider="docker", id="x")
    assert capability.get_workspace(None, ref=other) is None
    with pytest.raises(ValueError):
        capability.backend(other)
    with pytest.raises(ValueError):
        await capability.destroy(other)
    await capability.destroy(WorkspaceRef(provider="wisp", id="0" * 32))
    with pytest.raises(UserError):
        WispSandbox(defer_loading=True)


async def test_what_is_closed_is_unavailable_in_every_operation(open_workspace):
    capability = WispSandbox()
    backend = capability.backend()
    await backend.working_dir()
    await capability.destroy(backend.ref)
    calls = (backend.read_bytes, backend.stat, backend.list_dir, backend.make_dir, backend.remove, backend.exists, backend.realpath)
    for call in calls:
        with pytest.raises(WorkspaceUnavailableError):
            await call("/home/user")
    with pytest.raises(WorkspaceUnavailableError):
        await backend.run(["true"])


async def test_a_policy_that_is_an_object(open_workspace):
    policy = Policy.load("offline").with_value("limits.stdout", "1KiB")
    with pytest.raises(WorkspaceOutputLimitError) as caught:
        await open_workspace(policy=policy).run("yes | head -c 3000", shell=True)
    assert caught.value.limit == 1024


async def test_a_full_filesystem_is_an_error_of_python(open_workspace):
    workspace = open_workspace(policy=Policy.load("offline").with_value("filesystem.quota", "1MiB"))
    with pytest.raises(OSError) as caught:
        await workspace.write_bytes("large", bytes(2 << 20))
    assert caught.value.errno == errno.ENOSPC
    # As on any filesystem, what fitted is there.
    await workspace.remove("large")
    await workspace.write_bytes("small", bytes(1 << 19))
    assert (await workspace.stat("small")).size == 1 << 19


def test_a_workspace_without_anything_is_offline():
    assert "There is no network" in WispSandbox().get_instructions()
    assert WispWorkspace().ref is None


def test_what_the_model_is_told_is_about_this_sandbox(folder):
    told = WispSandbox(timeout=7, mounts=[Mount(folder, "/mnt/in")], policy='extends = "offline"\n').get_instructions()
    assert "/mnt/in" in told and "A command may take 7s" in told


async def test_a_fault_of_the_machine_is_no_working_directory(monkeypatch):
    backend = WispWorkspace()
    commands = (await backend.sandbox()).commands
    failed = await commands.run(["true"])
    object.__setattr__(failed.outcome, "end", End("infra", error_code="internal", message="no memory"))

    async def run(*_, **__):
        return failed

    with monkeypatch.context() as patch:
        patch.setattr(type(commands), "run", run)
        with pytest.raises(InfraError):
            await backend.working_dir()
    assert await backend.working_dir() == "/home/user"
    await (await backend.sandbox()).close()
