"""Sessions that are kept, resumed and paused."""

import io
import json
import tarfile
from pathlib import Path

import pytest
from agents.sandbox import Manifest
from agents.sandbox.entries import Dir, File
from agents.sandbox.errors import WorkspaceArchiveReadError, WorkspaceArchiveWriteError
from agents.sandbox.snapshot import LocalSnapshotSpec

from wisp_sandbox import Mount
from wisp_sandbox.adapters.openai_agents import WispSandboxClient, WispSandboxClientOptions
from wisp_sandbox.adapters.openai_agents._session import WispSandboxSession

PAUSED = WispSandboxClientOptions(pause_on_exit=True)
WORK = """
mkdir -p src/deep empty 'with space'; echo 'print(6 * 7)' > src/deep/a.py; chmod 750 src/deep/a.py; chmod 700 empty
ln -s deep/a.py src/link; ln -s /usr/bin/python3 src/python; ln -s nowhere 'with space/dangling'; mkfifo pipe
printf 'a\\377' > bytes; : > zero; touch -d 2001-02-03T04:05:06Z zero
"""
TREE = "find . -printf '%p %y %m %l\\n' | sort; stat -c %Y zero; sha256sum bytes zero src/deep/a.py"


def written(client, session):
    """The state as it comes back from where it was kept."""
    return client.deserialize_session_state(json.loads(json.dumps(client.serialize_session_state(session.state))))


@pytest.fixture
def snapshots(tmp_path):
    return LocalSnapshotSpec(base_path=tmp_path / "snapshots")


async def ended(client, session):
    """Closes a sandbox that was paused."""
    await client.delete(await client.resume(written(client, session)))


async def text(session, script):
    result = await session.exec(script)
    assert result.ok(), result.stderr
    return result.stdout.decode()


async def test_a_workspace_comes_back_as_it_was(snapshots):
    client = WispSandboxClient()
    session = await client.create(snapshot=snapshots)
    async with session:
        await text(session, WORK)
        before = await text(session, TREE)
    await client.delete(session)
    async with await WispSandboxClient(host_paths=[snapshots.base_path]).resume(written(client, session)) as later:
        after = await text(later, TREE)
        assert before.replace("./pipe p 644 \n", "") == after and "./pipe p 644" in before
        assert await text(later, "python3 src/link") == "42\n"


async def test_what_is_ephemeral_is_made_again_and_not_kept(snapshots, tmp_path):
    manifest = Manifest(entries={"kept.txt": File(content=b"kept"), "tree": Dir(children={"new.txt": File(content=b"new", ephemeral=True)})})
    client = WispSandboxClient()
    session = await client.create(snapshot=snapshots, manifest=manifest)
    async with session:
        await text(session, "echo changed > kept.txt; echo changed > tree/new.txt")
    (archive,) = (tmp_path / "snapshots").iterdir()
    with tarfile.open(archive) as packed:
        assert "./kept.txt" in packed.getnames() and "./tree/new.txt" not in packed.getnames()
    async with await client.resume(written(client, session)) as later:
        assert await text(later, "cat kept.txt tree/new.txt") == "changed\nnew"


async def test_a_paused_sandbox_is_found_with_all_that_it_has(snapshots, monkeypatch):
    client = WispSandboxClient()
    session = await client.create(snapshot=snapshots, options=PAUSED)
    async with session:
        await text(session, "echo here > a; echo outside > /home/user/b")
    hydrated = []
    original = WispSandboxSession.hydrate_workspace
    monkeypatch.setattr(WispSandboxSession, "hydrate_workspace", lambda self, data: hydrated.append(self) or original(self, data))
    async with await WispSandboxClient(host_paths=[snapshots.base_path]).resume(written(client, session)) as later:
        assert await text(later, "cat a /home/user/b") == "here\noutside\n" and hydrated == []
        assert later.state.sandbox_id == session.state.sandbox_id
    await ended(client, later)
    async with await client.resume(written(client, session)) as fresh:
        # It was deleted: what the snapshot has is there, and nothing else.
        assert await text(fresh, "cat a; ls /home/user") == "here\n" and len(hydrated) == 1
        assert fresh.state.sandbox_id != session.state.sandbox_id
    await ended(client, fresh)


async def test_a_paused_workspace_that_has_changed_is_restored(snapshots):
    client = WispSandboxClient()
    session = await client.create(snapshot=snapshots, options=PAUSED)
    async with session:
        await text(session, "echo kept > a")
    await session._inner.sandbox.files.write("/workspace/a", "changed behind its back")
    await session._inner.sandbox.commands.run("echo outside > ../home/user/b; ln -s /home/user out; ln -s /home/user/b b; mkdir -p d/e", cwd="/workspace")
    async with await client.resume(written(client, session)) as later:
        assert later.state.sandbox_id == session.state.sandbox_id
        assert await text(later, "cat a; ls; cat /home/user/b") == "kept\na\noutside\n"
    await ended(client, later)


async def test_without_pause_nothing_of_the_sandbox_is_left(snapshots):
    client = WispSandboxClient()
    session = await client.create(snapshot=snapshots)
    async with session:
        await text(session, "echo outside > /home/user/b")
        sandbox = session._inner.sandbox
    assert not await sandbox.is_running()
    async with await client.resume(written(client, session)) as later:
        assert await text(later, "ls /home/user") == ""


async def test_a_paused_sandbox_is_ended_from_its_state():
    client = WispSandboxClient()
    session = await client.create(options=PAUSED)
    async with session:
        sandbox = session._inner.sandbox
    # As the SDK's runner does after each run.
    await client.delete(session)
    assert await sandbox.is_running()
    await client.delete(await client.resume(written(client, session)))
    assert not await sandbox.is_running()


async def test_delete_ends_a_sandbox_that_was_not_paused():
    client = WispSandboxClient()
    for options in (PAUSED, WispSandboxClientOptions()):
        session = await client.create(options=options)
        await session.start()
        sandbox = session._inner.sandbox
        await client.delete(session)
        assert not await sandbox.is_running()


async def test_a_session_starts_again_after_it_was_closed(snapshots):
    session = await WispSandboxClient().create(snapshot=snapshots)
    for number in range(2):
        async with session:
            assert await text(session, "ls") == "".join(f"{count}\n" for count in range(number))
            await text(session, f"touch {number}")


async def test_mounts_are_no_part_of_a_snapshot(tmp_path):
    (tmp_path / "secret.txt").write_text("of the host")
    client = WispSandboxClient(mounts=[Mount(tmp_path, "/workspace/data")])
    async with await client.create() as session:
        await text(session, "cp data/secret.txt copy.txt")
        with tarfile.open(fileobj=await session.persist_workspace()) as packed:
            assert "./copy.txt" in packed.getnames() and not [name for name in packed.getnames() if name.startswith("./data")]


async def test_a_file_that_cannot_be_read_is_an_error_and_no_gap():
    async with await WispSandboxClient().create() as session:
        await text(session, "mkdir closed; echo x > closed/x; chmod 000 closed")
        with pytest.raises(WorkspaceArchiveReadError):
            await session.persist_workspace()
        await text(session, "chmod 700 closed")
        with tarfile.open(fileobj=await session.persist_workspace()) as packed:
            assert "./closed/x" in packed.getnames()


def archive(*members):
    """A tar file of names with contents, or of links."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as packed:
        for name, content, target in members:
            info = tarfile.TarInfo(name)
            if target is not None:
                info.type, info.linkname = tarfile.SYMTYPE, target
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    data.seek(0)
    return data


@pytest.mark.parametrize(
    "members",
    [[("../x", b"x", None)], [("/etc/x", b"x", None)], [("link", b"", "/etc"), ("link/x", b"x", None)], [("a", b"x", None), ("a", b"y", None)]],
    ids=["above", "absolute", "below a link", "twice"],
)
async def test_an_archive_that_is_not_what_a_workspace_is_changes_nothing(members):
    async with await WispSandboxClient().create() as session:
        with pytest.raises(WorkspaceArchiveWriteError):
            await session.hydrate_workspace(archive(("good", b"x", None), *members))
        assert await session.ls(".") == []
        await session.hydrate_workspace(archive(("good", b"x", None)))
        assert [Path(entry.path).name for entry in await session.ls(".")] == ["good"]


async def test_a_file_that_is_no_archive_is_an_error():
    async with await WispSandboxClient().create() as session:
        with pytest.raises(WorkspaceArchiveWriteError):
            await session.hydrate_workspace(io.BytesIO(b"no archive"))


async def test_unpacking_needs_the_tool():
    async with await WispSandboxClient("minimal").create() as session:
        with pytest.raises(WorkspaceArchiveWriteError, match="archive"):
            await session.hydrate_workspace(archive(("good", b"x", None)))
