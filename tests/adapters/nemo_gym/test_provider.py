"""The provider, through NeMo Gym's own registry and sandboxes."""

import asyncio
from importlib.metadata import entry_points
from pathlib import Path
from unittest import mock

import pytest
from nemo_gym.sandbox import (
    AsyncSandbox,
    Sandbox,
    SandboxCreateError,
    SandboxSpec,
    SandboxStatus,
    create_provider,
    get_provider_class,
    list_providers,
    resolve_provider_config,
)

import wisp_sandbox
from wisp_sandbox import InfraError, _native
from wisp_sandbox.adapters.nemo_gym import WispProvider

SAME = 'extends = "offline"\n[determinism]\nseed = 1\n'


def sandbox(spec=None, **config):
    return AsyncSandbox({"wisp": config}, spec or SandboxSpec())


def test_the_package_publishes_it():
    [point] = entry_points(group="nemo_gym.sandbox_providers", name="wisp")
    assert point.load() is WispProvider
    assert "wisp" in list_providers()
    assert get_provider_class("wisp") is WispProvider
    config = resolve_provider_config("sandbox", {"sandbox": {"wisp": {"policy": "minimal"}, "default_metadata": {"a": "b"}}})
    assert isinstance(create_provider(config), WispProvider)


async def test_a_sandbox_from_its_beginning_to_its_end(tmp_path):
    spec = SandboxSpec(workdir="/workspace/task", env={"NAME": "ada"}, files={"/workspace/task/in.txt": "2\n3\n", "/workspace/new/dir/x": "x"})
    async with sandbox(spec) as box:
        assert await box.status() is SandboxStatus.UNKNOWN
        await box.start()
        assert await box.status() is SandboxStatus.RUNNING
        done = await box.exec("pwd; echo $NAME $MORE; cat in.txt /workspace/new/dir/x; echo oops >&2; exit 3", env={"MORE": "1"})
        assert (done.stdout, done.stderr, done.return_code, done.error_type) == ("/workspace/task\nada 1\n2\n3\nx", "oops\n", 3, None)
        assert (await box.exec("pwd", cwd="/tmp")).stdout == "/tmp\n"
        script = tmp_path / "script.sh"
        script.write_text("#!/bin/sh\necho ran $1 >out.bin\n")
        script.chmod(0o755)
        await box.upload(script, "/workspace/bin/script.sh")
        assert (await box.exec("/workspace/bin/script.sh once")).return_code == 0
        await box.download("/workspace/task/out.bin", tmp_path / "new" / "out.bin")
        assert (tmp_path / "new" / "out.bin").read_text() == "ran once\n"
        assert (await box.exec("no-such-program")).return_code == 127
        with pytest.raises(FileNotFoundError):
            await box.download("/nowhere", tmp_path / "nothing")
    assert await box.status() is SandboxStatus.STOPPED


def test_without_an_event_loop(tmp_path):
    with Sandbox({"wisp": {}}, SandboxSpec(files={"/home/user/a": "1"})) as box:
        box.start()
        assert box.exec("cat a").stdout == "1"
        box.download("/home/user/a", tmp_path / "a")
        assert box.status() is SandboxStatus.RUNNING
    assert (tmp_path / "a").read_text() == "1"


async def test_each_is_a_fork_of_what_the_setup_made():
    setup = ["open('/home/user/state', 'w').write('prepared')"]
    async with sandbox(setup=setup) as one, sandbox(setup=setup) as other:
        with mock.patch.object(wisp_sandbox.AsyncSandbox, "run_code", autospec=True, side_effect=wisp_sandbox.AsyncSandbox.run_code) as ran:
            await asyncio.gather(one.start(), other.start())
        assert [call.args[1] for call in ran.call_args_list if call.args[1] in setup] == setup
        await one.exec("echo changed >state")
        assert ((await one.exec("cat state")).stdout, (await other.exec("cat state")).stdout) == ("changed\n", "prepared")
    more = SandboxSpec(provider_options={"setup": ["open('/home/user/more', 'w').write(open('/home/user/state').read())"]})
    async with sandbox(more, setup=setup) as third:
        await third.start()
        assert (await third.exec("cat more")).stdout == "prepared"


async def test_an_episode_has_its_seed():
    async def drawn(episode):
        async with sandbox(SandboxSpec(provider_options={"episode": episode}), policy=SAME) as box:
            await box.start()
            return box._handle.raw.session.seed, (await box.exec("date +%s; echo $RANDOM")).stdout

    assert await drawn("task-1/0") == await drawn("task-1/0")
    assert (await drawn("task-1/0"))[0] != (await drawn("task-1/1"))[0]


@pytest.mark.parametrize(
    "spec, word",
    [
        (SandboxSpec(image="ubuntu:22.04"), "container images"),
        (SandboxSpec(entrypoint=["nginx"]), "entrypoint"),
        (SandboxSpec(resources={"gpu": 1}), "GPU"),
        (SandboxSpec(resources={"cpu": 4}), "one processor"),
        (SandboxSpec(provider_options={"binds": []}), "binds"),
        (SandboxSpec(provider_options={"setup": ["1 / 0"]}), "ZeroDivisionError"),
        (SandboxSpec(resources={"memory_mib": 0}), "limits.memory"),
        (SandboxSpec(ready_timeout_s=0), "within 0 s"),
    ],
)
async def test_what_wasm_cannot_give_is_refused(spec, word):
    async with sandbox() as box:
        with pytest.raises(SandboxCreateError, match=word):
            await box.start(spec)
        # Its twin that asks for nothing of the kind.
        await box.start(SandboxSpec(image="wisp", resources={"cpu": 1, "memory_mib": 128, "disk_gib": 1}))
        assert (await box.exec("true")).return_code == 0
        with pytest.raises(ValueError, match="one user"):
            await box.exec("true", user="root")


async def test_limits_are_the_policys_and_say_so():
    async with sandbox(SandboxSpec(resources={"memory_mib": 96})) as box:
        await box.start()
        late = await box.exec("while :; do :; done", timeout_s=1)
        assert (late.error_type, late.return_code) == ("timeout", 124)
        assert "ended by limits.wall" in late.stderr
        big = await box.exec("python3 -c \"print(len(b'x' * (200 << 20)))\"")
        assert big.return_code != 0 and "MemoryError" in big.stderr
        assert (await box.exec("python3 -c \"print(len(b'x' * (1 << 20)))\"")).stdout == "1048576\n"
    async with sandbox(timeout=1) as box:
        await box.start()
        assert (await box.exec("while :; do :; done", timeout_s=600)).error_type == "timeout"


async def test_it_has_what_the_policy_gives_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setenv("TRAINER_KEY", "s3cret")
    (tmp_path / "data.txt").write_text("mine")
    async with sandbox() as box:
        await box.start()
        assert "s3cret" not in (await box.exec("env; cat /proc/self/environ")).stdout
        assert (await box.exec(f"cat {tmp_path}/data.txt /etc/shadow")).return_code == 1
        assert "denied by wisp" in (await box.exec("curl -s http://127.0.0.1:1/ -S")).stderr
    async with sandbox(mounts=[{"host": str(tmp_path), "guest": "/mnt/data"}]) as box:
        await box.start()
        assert (await box.exec("cat /mnt/data/data.txt")).stdout == "mine"
        assert (await box.exec("echo x >/mnt/data/data.txt")).return_code != 0
    assert (tmp_path / "data.txt").read_text() == "mine"


async def test_a_fault_of_the_host_is_no_result():
    class Faults:
        left = 0

        def __init__(self):
            self.real = wisp_sandbox.AsyncCommands.run

        async def __call__(self, commands, command, **more):
            result = await self.real(commands, command, **more)
            if Faults.left and "marker" in command[-1]:
                Faults.left -= 1
                raise InfraError({"code": "host_memory", "fault": "host", "retryable": True, "message": "no memory"})
            return result

    faults = Faults()
    with mock.patch.object(wisp_sandbox.AsyncCommands, "run", lambda self, command, **more: faults(self, command, **more)):
        async with sandbox(policy=SAME, attempts=3) as box:
            await box.start()
            await box.exec("echo one >>log")
            Faults.left = 2
            # It is tried again from where the episode was: no line is written twice.
            assert (await box.exec("echo marker >>log; cat log")).stdout == "one\nmarker\n"
            Faults.left = 3
            with pytest.raises(InfraError):
                await box.exec("echo marker")
            assert await box.status() is SandboxStatus.ERROR
            with pytest.raises(InfraError):
                await box.exec("echo more")


async def test_its_time_ends():
    async with sandbox(SandboxSpec(ttl_s=0)) as box:
        await box.start()
        assert await box.status() is SandboxStatus.STOPPED
        with pytest.raises(RuntimeError, match="ttl_s"):
            await box.exec("true")


async def test_many_at_once_come_to_the_same_as_one_by_one():
    async def one(number):
        async with sandbox(SandboxSpec(provider_options={"episode": f"e{number}"}), policy=SAME, setup=["rows = 3"]) as box:
            await box.start()
            await box.exec(f"echo {number} >n")
            return (await box.exec("echo $(cat n) $RANDOM; sha256sum n")).stdout

    at_once = await asyncio.gather(*(one(number) for number in range(100)))
    assert at_once == [await one(number) for number in range(100)]
    assert len(set(at_once)) == 100


def test_a_link_leads_nowhere_out_of_the_sandbox(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with Sandbox({"wisp": {}}, SandboxSpec()) as box:
        box.start()
        box.exec(f"ln -s {tmp_path}/mine out; ln -s /etc/passwd in")
        with pytest.raises(FileNotFoundError):
            box.download("/home/user/out", tmp_path / "copy")
        # Its own.
        box.download("/home/user/in", tmp_path / "passwd")
        box.upload(tmp_path / "mine", "/home/user/in2")
        assert box.exec("cat in2").stdout == "mine"
    assert (tmp_path / "passwd").read_text() != Path("/etc/passwd").read_text()
    assert not (tmp_path / "copy").exists()


async def test_a_sandbox_that_cannot_begin_is_closed():
    provider = WispProvider(setup=["of_this_test = 1"])
    # This makes its checkpoint.
    await provider.close(await provider.create(SandboxSpec()))
    before = _native.live_sessions()
    with pytest.raises(SandboxCreateError, match="workdir") as caught:
        await provider.create(SandboxSpec(workdir="/dev/null/below"))
    # While the error keeps its frames.
    assert caught.value.__traceback__ is not None and _native.live_sessions() == before
