"""What a session may not do, each beside what it may."""

import io
import json
from pathlib import Path
from typing import Literal

import pytest
from agents.sandbox import Manifest, SandboxPathGrant
from agents.sandbox.entries import DockerVolumeMountStrategy, File, GitRepo, InContainerMountStrategy, RcloneMountPattern, S3Mount
from agents.sandbox.errors import (
    ConfigurationError,
    ExposedPortUnavailableError,
    GitMissingInImageError,
    InvalidManifestPathError,
    MountConfigError,
    MountToolMissingError,
    WorkspaceArchiveReadError,
    WorkspaceArchiveWriteError,
    WorkspaceReadNotFoundError,
    WorkspaceStartError,
)
from agents.sandbox.manifest import Environment, EnvValue
from agents.sandbox.snapshot import LocalSnapshotSpec
from agents.sandbox.types import Group, User

from wisp_sandbox import Policy, Sandbox
from wisp_sandbox.adapters.openai_agents import WispSandboxClient, WispSandboxClientOptions

PAUSED = WispSandboxClientOptions(pause_on_exit=True)


@pytest.fixture
async def session():
    async with await WispSandboxClient().create() as made:
        yield made


async def test_there_is_no_file_of_the_host_without_a_grant(session, tmp_path):
    (tmp_path / "secret.txt").write_text("of the host")
    assert not (await session.exec(f"cat {tmp_path}/secret.txt")).ok()
    grant = SandboxPathGrant(path="/mnt/given", host_path=str(tmp_path), read_only=True)
    async with await WispSandboxClient().create(manifest=Manifest(extra_path_grants=(grant,))) as other:
        assert (await other.exec("cat /mnt/given/secret.txt")).stdout == b"of the host"
        assert (await other.read(Path("/mnt/given/secret.txt"))).read() == b"of the host"
        assert not (await other.exec("echo changed > /mnt/given/secret.txt")).ok()
        with pytest.raises(WorkspaceArchiveWriteError):
            await other.write(Path("/mnt/given/new.txt"), io.BytesIO(b"x"))
    assert [path.name for path in tmp_path.iterdir()] == ["secret.txt"]
    grant = SandboxPathGrant(path="/mnt/given", host_path=str(tmp_path))
    async with await WispSandboxClient().create(manifest=Manifest(extra_path_grants=(grant,))) as other:
        await other.write(Path("/mnt/given/new.txt"), io.BytesIO(b"x"))
    assert (tmp_path / "new.txt").read_bytes() == b"x"


async def test_there_is_no_network(session):
    denied = await session.exec("curl -sS https://example.com/")
    assert denied.exit_code != 0 and b"denied" in (denied.stdout + denied.stderr).lower()
    assert [receipt.verdict for receipt in session._inner.sandbox.receipts if receipt.kind == "http"] in ([], ["denied"])


async def test_files_are_not_opened_through_links_out_of_the_workspace(session):
    await session.exec("echo outside > /tmp/outside; ln -s /tmp/outside leaf; ln -s /tmp dir; echo inside > in; ln -s in good; ln -s /workspace root")
    for path in ("leaf", "dir/outside", "dir/new", "../tmp/outside", "/tmp/outside", "root/leaf"):
        with pytest.raises(InvalidManifestPathError):
            await session.read(Path(path))
        with pytest.raises(InvalidManifestPathError):
            await session.write(Path(path), io.BytesIO(b"changed"))
    for path in ("dir", "/tmp"):
        with pytest.raises(InvalidManifestPathError):
            await session.ls(path)
        with pytest.raises(InvalidManifestPathError):
            await session.mkdir(f"{path}/made", parents=True)
    assert (await session.exec("cat /tmp/outside; ls /tmp | grep -c made")).stdout == b"outside\n0\n"
    assert (await session.read(Path("good"))).read() == (await session.read(Path("root/in"))).read() == b"inside\n"
    await session.rm("good")
    assert (await session.exec("cat in; test ! -L good")).ok()


async def test_a_loop_of_links_and_a_file_as_a_directory_are_errors(session):
    await session.exec("ln -s b a; ln -s a b; echo x > file; mkdir dir")
    for path, error in (("a", Exception), ("file/below", WorkspaceArchiveReadError), ("dir", WorkspaceArchiveReadError), ("no", WorkspaceReadNotFoundError)):
        with pytest.raises(error):
            await session.read(Path(path))
    with pytest.raises(WorkspaceArchiveWriteError):
        await session.write(Path("dir"), io.BytesIO(b"x"))
    with pytest.raises(WorkspaceArchiveWriteError):
        await session.write(Path("file/below"), io.BytesIO(b"x"))


async def test_a_new_file_takes_no_others_place(session):
    await session._inner._write_new_file(Path("sub/new"), io.BytesIO(b"first"))
    with pytest.raises(FileExistsError):
        await session._inner._write_new_file(Path("sub/new"), io.BytesIO(b"second"))
    assert (await session.read(Path("sub/new"))).read() == b"first"
    assert await session.read_bounded(Path("sub/new"), max_bytes=3) == b"fir"


async def test_there_is_one_user(session):
    await session.write(Path("a"), io.BytesIO(b"x"))
    calls = (
        lambda user: session.exec("id", user=user),
        lambda user: session.pty_exec_start("id", user=user),
        lambda user: session.read(Path("a"), user=user),
        lambda user: session.write(Path("a"), io.BytesIO(b"y"), user=user),
        lambda user: session.ls(".", user=user),
        lambda user: session.mkdir("b", parents=True, user=user),
        lambda user: session.rm("a", user=user),
        lambda user: session.mv("a", "c", user=user),
        lambda user: session._inner._write_new_file(Path("n"), io.BytesIO(b""), user=user),
    )
    for call in calls:
        for user in ("root", User(name="root")):
            with pytest.raises(ConfigurationError, match="one user"):
                await call(user)
    assert [Path(entry.path).name for entry in await session.ls(".")] == ["a"]
    assert (await session.read(Path("a"))).read() == b"x"


@pytest.mark.parametrize("accounts", [{"users": [User(name="ada")]}, {"groups": [Group(name="staff", users=[])]}], ids=["users", "groups"])
async def test_a_manifest_with_accounts_does_not_start(accounts):
    with pytest.raises(ValueError, match="users or groups"):
        await (await WispSandboxClient().create(manifest=Manifest(**accounts))).start()


async def test_there_are_no_ports(session):
    with pytest.raises(ValueError, match="no ports"):
        await WispSandboxClient().create(options=WispSandboxClientOptions(exposed_ports=(8000,)))
    with pytest.raises(ExposedPortUnavailableError):
        await session.resolve_exposed_port(8000)


CREDENTIALS = {"access_key_id": "key-id-of-mine", "secret_access_key": "secret-of-mine"}
RCLONE = InContainerMountStrategy(pattern=RcloneMountPattern())


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (GitRepo(repo="a/b", ref="main"), GitMissingInImageError),
        (S3Mount(bucket="b", mount_strategy=RCLONE), MountToolMissingError),
        (S3Mount(bucket="b", mount_strategy=RCLONE, **CREDENTIALS), MountConfigError),
        (S3Mount(bucket="b", mount_strategy=DockerVolumeMountStrategy(driver="rclone")), MountConfigError),
    ],
    ids=["git", "bucket", "bucket with credentials", "volume"],
)
async def test_git_and_buckets_are_refused(entry, error):
    with pytest.raises(error):
        session = await WispSandboxClient().create(manifest=Manifest(entries={"there": entry}))
        await session.start()


async def test_a_policy_that_is_wrong_or_a_root_that_cannot_be_made_are_errors_of_the_start():
    for client, root in ((WispSandboxClient("[tools]\nallow = 3\n"), "/workspace"), (WispSandboxClient(), "/etc/below")):
        session = await client.create(manifest=Manifest(root=root))
        with pytest.raises(WorkspaceStartError):
            await session.start()
        assert not await session.running()
    async with await WispSandboxClient().create(manifest=Manifest(root="/home/user/work")) as session:
        assert (await session.exec("pwd")).stdout == b"/home/user/work\n"


class Vault(EnvValue):
    """A value that is found when a command starts."""

    type: Literal["wisp-test-vault"] = "wisp-test-vault"

    async def resolve(self):
        return "secret-from-the-vault"


async def test_no_secret_and_no_path_of_the_host_is_written_down(tmp_path):
    grant = SandboxPathGrant(path="/mnt/given", host_path=str(tmp_path))
    manifest = Manifest(environment=Environment(value={"TOKEN": Vault()}), extra_path_grants=(grant,))
    client = WispSandboxClient()
    session = await client.create(manifest=manifest, options=PAUSED)
    async with session:
        assert (await session.exec("echo $TOKEN")).stdout == b"secret-from-the-vault\n"
    state = json.dumps(client.serialize_session_state(session.state))
    assert "secret-from" not in state and str(tmp_path) not in state and "allow" not in state.replace("remote_mount_command_allowlist", "")
    with pytest.raises(ValueError, match="rebound"):
        await client.resume(client.deserialize_session_state(json.loads(state)))
    await session._inner.close_sandbox()


async def test_a_state_gives_no_right(tmp_path):
    (tmp_path / "secret.txt").write_text("of the host")
    open_client = WispSandboxClient(Policy.load("offline").with_mount(tmp_path, "/mnt/data"))
    session = await open_client.create(options=PAUSED)
    async with session:
        assert (await session.exec("cat /mnt/data/secret.txt")).ok()
        await session.exec("echo of the open one > /home/user/b")
    state = open_client.serialize_session_state(session.state)
    # A client with less does not get the sandbox of one with more, whatever the state says.
    state |= {"policy": "offline", "mounts": [[str(tmp_path), "/mnt/data", "write"]], "timeout": 1e6}
    closed = WispSandboxClient()
    later = await closed.resume(closed.deserialize_session_state(json.loads(json.dumps(state))))
    async with later:
        assert later.state.sandbox_id != session.state.sandbox_id
        assert not (await later.exec("cat /mnt/data/secret.txt || cat /home/user/b")).ok()
        assert later.state.policy_digest == later._inner.sandbox.policy.digest
    await later._inner.close_sandbox()
    async with await open_client.resume(open_client.deserialize_session_state(json.loads(json.dumps(state)))) as again:
        assert (await again.exec("cat /home/user/b")).ok()
    await again._inner.close_sandbox()


@pytest.mark.parametrize("change", [
    lambda state, path: state | {"snapshot": {"type": "local", "id": "x", "base_path": f"{path}/of-others"}},
    lambda state, path: state | {"snapshot": {"type": "local", "id": "x", "base_path": f"{path}/mine/../of-others"}},
    lambda state, path: with_entry(state, {"type": "local_dir", "src": f"{path}/of-others"}),
    lambda state, path: with_entry(state, {"type": "local_file", "src": f"{path}/of-others/secret.txt"}),
    lambda state, path: with_entry(state, {"type": "local_dir", "src": "."}),
    lambda state, path: with_entry(state, {"type": "dir", "children": {"below": {"type": "local_dir", "src": f"{path}/mine-too"}}}),
])
async def test_a_state_names_no_path_of_the_host_that_its_client_does_not_know(tmp_path, change):
    for name in ("mine", "mine-too", "of-others"):
        (tmp_path / name).mkdir()
    (tmp_path / "of-others/secret.txt").write_text("of the host")
    client = WispSandboxClient()
    session = await client.create(snapshot=LocalSnapshotSpec(base_path=tmp_path / "mine"))
    async with session:
        await session.exec("echo x >a")
    state = client.serialize_session_state(session.state)
    await client.delete(session)
    # The host has granted the path, if one believes the state.
    state["manifest"]["extra_path_grants"] = [{"path": str(tmp_path)}]
    forged = json.dumps(change(json.loads(json.dumps(state, default=str)), tmp_path))
    with pytest.raises(ValueError, match="host_paths"):
        await client.resume(client.deserialize_session_state(json.loads(forged)))
    written = json.dumps(state, default=str)
    with pytest.raises(ValueError, match="host_paths"):
        await WispSandboxClient().resume(client.deserialize_session_state(json.loads(written)))
    for knowing in (client, WispSandboxClient(host_paths=[tmp_path / "mine"])):
        async with await knowing.resume(knowing.deserialize_session_state(json.loads(written))) as later:
            assert (await later.exec("cat a")).stdout == b"x\n"
    assert sorted(path.name for path in (tmp_path / "of-others").iterdir()) == ["secret.txt"]


def with_entry(state, entry):
    state["manifest"]["entries"]["forged"] = entry
    return state


async def test_a_state_leads_to_no_sandbox_of_others():
    with Sandbox.create(key="of-the-program") as other:
        other.files.write("/home/user/b", "of the program")
        client = WispSandboxClient()
        session = await client.create(options=PAUSED)
        state = client.serialize_session_state(session.state) | {"sandbox_id": other.id}
        with pytest.raises(ValueError):
            client.deserialize_session_state(state | {"sandbox_key": "of-the-program"})
        async with await client.resume(client.deserialize_session_state(state)) as later:
            assert later.state.sandbox_id != other.id and not (await later.exec("cat /home/user/b")).ok()
        await later._inner.close_sandbox()
        assert other.is_running()


async def test_the_checks_script_belongs_to_the_sandbox_and_what_it_says_opens_nothing_of_the_host(session, tmp_path):
    (tmp_path / "secret.txt").write_text("of the host")
    await session.exec(f"ln -s {tmp_path}/secret.txt link; ln -s in good; echo x > in")
    assert (await session.read(Path("good"))).read() == b"x\n"
    # The code in the sandbox can change the SDK's script there: it deceives the check, and finds the sandbox's own files only.
    await session.exec("for script in /tmp/openai-agents/bin/*; do printf '#!/bin/sh\\necho /workspace/in\\n' > $script; done")
    with pytest.raises((InvalidManifestPathError, WorkspaceReadNotFoundError)):
        await session.read(Path("link"))


async def test_the_client_takes_its_own_sessions_only(session):
    with pytest.raises(TypeError):
        await WispSandboxClient().delete(type("Other", (), {"_inner": object()})())
    with pytest.raises(TypeError):
        await WispSandboxClient().resume(object())
    made = await WispSandboxClient().create(manifest=Manifest(entries={"a": File(content=b"x")}))
    assert (await WispSandboxClient().delete(made)) is made
