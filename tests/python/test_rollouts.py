"""`wisp_sandbox.rollouts`: groups, back-pressure, trees, episodes, and faults of the host, which are no results."""

import asyncio
import gc
import unittest
from unittest import mock

from wisp_sandbox import AsyncSandbox, EndedError, Engine, InfraError, Policy, RequestError, _native
from wisp_sandbox.rollouts import Limits, Outcome, Pool, SetupError

SAME = 'extends = "offline"\n[determinism]\nseed = 1\n'
SETUP = ["import random, os\nrows = [1, 2]"]


def fault(retryable=True):
    """An error of the machine."""
    return InfraError({"code": "host_memory", "fault": "host", "retryable": retryable, "message": "no memory"})


class Failing:
    """Calls of `run_code` of which some fail by the machine, after the code has run or before."""

    def __init__(self, fails, retryable=True):
        self.fails, self.retryable, self.calls, self.real = fails, retryable, 0, AsyncSandbox.run_code

    def __enter__(self):
        failing = self

        async def run_code(self, code, *words, **more):
            failing.calls += 1
            if "seed(" in code or not failing.fails(failing.calls, code):
                return await failing.real(self, code, *words, **more)
            await failing.real(self, code, *words, **more)
            raise fault(failing.retryable)

        self.patch = mock.patch.object(AsyncSandbox, "run_code", run_code)
        self.patch.start()
        return self

    def __exit__(self, *_):
        self.patch.stop()


async def taken(pool, base, cells, **options):
    """All rollouts, by their places."""
    return {(each.index, each.member): each async for each in pool.map(base, cells, **options)}


class Rollouts(unittest.IsolatedAsyncioTestCase):
    async def test_a_thousand_come_to_the_same_at_once_and_one_by_one(self):
        cells = [f"rows.append({n}); open('/output/n', 'w').write(str(rows))\nprint(n)\n(random.random(), os.urandom(2).hex())" for n in range(500)]

        async def digests(engine=None, **options):
            async with Pool(SAME, seed=7, engine=engine, attempts=100) as pool:
                base = await pool.checkpoint(SETUP)
                found = await taken(pool, base, cells, group=2, limits=Limits(memory="256MiB"), **options)
                return {place: each.digest for place, each in found.items()}, max(each.attempt for each in found.values())

        alone, tries = await digests(concurrency=1)
        self.assertEqual((len(alone), len(set(alone.values())), tries), (1000, 1000, 1))
        self.assertEqual((await digests(concurrency=8))[0], alone)
        # Here the engine has no room for most of them at first: a fault of the host, and it changes nothing.
        with Engine(max_processes=2) as engine:
            crowded, tries = await digests(engine, concurrency=8)
        self.assertEqual(crowded, alone)
        self.assertGreater(tries, 1)

    async def test_members_of_a_group_have_seeds_of_their_own_which_come_again(self):
        found = []
        for seed in (1, 1, 2):
            async with Pool(seed=seed) as pool:
                rollouts = await taken(pool, await pool.checkpoint(SETUP), ["random.random()"] * 2, group=3)
                found.append({place: (each.seed, each.value, each.id) for place, each in rollouts.items()})
        self.assertEqual(set(found[0]), {(index, member) for index in range(2) for member in range(3)})
        self.assertEqual(found[0], found[1])
        self.assertEqual(len({each for one in (found[0], found[2]) for each in one.values()}), 12)
        self.assertEqual(len({value for _, value, _ in [*found[0].values(), *found[2].values()]}), 12)

    async def test_outcomes_say_whose_doing_it_was(self):
        cells = {
            "rows": Outcome("ok", code=0),
            "1 / 0": Outcome("error", "ZeroDivisionError", 1),
            "raise SystemExit(4)": Outcome("exit", code=4),
            "os._exit(5)": Outcome("exit", code=5),
            "while True: pass": Outcome("limit", "limits.wall", rule="host program"),
        }
        async with Pool() as pool:
            base = await pool.checkpoint(SETUP)
            found = await taken(pool, base, cells, limits=Limits(wall=1))
            self.assertEqual({each.cell: each.outcome for each in found.values()}, cells)
            self.assertEqual([each.outcome.ok for _, each in sorted(found.items())], [True] + [False] * 4)
            small = await taken(pool, base, ["b'x' * (200 << 20)", "len(b'x' * (1 << 20))"], limits=Limits(memory="128MiB"))
            self.assertEqual([(each.outcome.kind, each.outcome.what) for _, each in sorted(small.items())], [("limit", "limits.memory"), ("ok", None)])
            [wide] = (await taken(pool, base, ["len(b'x' * (200 << 20))"])).values()
            self.assertEqual((wide.outcome.ok, wide.value), (True, str(200 << 20)))
            counted = await taken(pool, base, ["while True: pass", "1"], limits=Limits(instructions=2_000_000_000))
            self.assertEqual([(each.outcome.kind, each.outcome.what) for _, each in sorted(counted.items())],
                             [("limit", "limits.instructions"), ("ok", None)])

    async def test_what_a_rollout_shows(self):
        code = "import sys, wisp\nprint('out'); print('err', file=sys.stderr); open('/output/a.txt', 'w').write('1'); rows"
        async with Pool() as pool:
            base = await pool.checkpoint(["rows = open('/data').read()"], files={"/data": "kept"})
            [found] = (await taken(pool, base, [code])).values()
        self.assertEqual((found.value, found.stdout, found.stderr, found.attempt), ("'kept'", "out\n", "err\n", 1))
        self.assertEqual([(file.path, file.size_bytes) for file in found.files], [("/output/a.txt", 1)])
        self.assertEqual(repr(found), "<Rollout 0.0: ok>")

    async def test_cells_are_taken_as_there_is_room(self):
        given, most = 0, 0

        def endless():
            nonlocal given
            while True:
                given += 1
                yield f"{given}"

        async def later():
            for cell in endless():
                await asyncio.sleep(0)
                yield cell

        async with Pool() as pool:
            base = await pool.checkpoint()
            for cells in (endless(), later()):
                given, found = 0, 0
                rollouts = pool.map(base, cells, concurrency=3)
                async for _ in rollouts:
                    found += 1
                    for _ in range(50):
                        await asyncio.sleep(0)
                    # Three run, three wait to be taken, and each of those that run has one in its hand.
                    self.assertLessEqual(given, found + 9)
                    most = max(most, _native.live_sessions())
                    if found == 100:
                        break
                await rollouts.aclose()
            # Beside the checkpoint's.
            self.assertLessEqual(most, 1 + 9)
            gc.collect()
            self.assertEqual(_native.live_sessions(), 1)
        self.assertEqual(_native.live_sessions(), 0)

    async def test_a_child_is_the_next_base(self):
        async with Pool(SAME) as pool:
            base, values = await pool.checkpoint(["path = []"]), []
            best = base
            for depth in range(3):
                async for each in pool.map(best, [f"path.append({step}); open('note', 'a').write('{step}'); path" for step in range(3)], concurrency=1):
                    values.append(each.value)
                    if each.index == depth:
                        child = await each.keep()
                best = child
            self.assertEqual(values[-1], "[0, 1, 2]")
            [last] = (await taken(pool, best, ["(path, open('note').read())"])).values()
            self.assertEqual(last.value, "([0, 1, 2], '012')")
            [first] = (await taken(pool, base, ["path"])).values()
            self.assertEqual(first.value, "[]")
            self.assertEqual(len({base.digest, child.digest, best.digest}), 2)

    async def test_what_can_be_kept_and_how_long(self):
        async with Pool() as pool:
            base = await pool.checkpoint(["x = 0"])
            found = [each async for each in pool.map(base, ["x += 1; x", "1 / 0"], concurrency=1)]
            with self.assertRaisesRegex(RequestError, "hold=True"):
                await found[0].keep()
            held = await taken(pool, base, ["x += 1; x", "import os; os._exit(1)"], hold=True, limits=Limits(memory="64MiB"))
            child = await held[0, 0].keep()
            with self.assertRaises(RequestError):
                await held[0, 0].keep()
            self.assertEqual((await taken(pool, child, ["x += 1; x"], limits=Limits(memory="64MiB")))[0, 0].value, "2")
            self.assertEqual((await taken(pool, child, ["x += 1; x"]))[0, 0].value, "2")
            with self.assertRaisesRegex(ValueError, "64MiB"):
                await taken(pool, child, ["x"], limits=Limits(memory="32MiB"))
            # Nothing starts from an interpreter that has ended.
            with self.assertRaises(EndedError):
                await taken(pool, await held[1, 0].keep(), ["x"])
            await child.close()
            with self.assertRaises(EndedError):
                await taken(pool, child, ["x"])
            await held[1, 0].close()

    async def test_a_fault_of_the_host_is_tried_again_with_the_same_seed(self):
        cells = [f"rows.append({n}); (rows, random.random())" for n in range(20)]
        async with Pool(SAME) as pool:
            base = await pool.checkpoint(SETUP)
            calm = await taken(pool, base, cells)
            with Failing(lambda call, _: call % 3 == 0):
                rough = await taken(pool, base, cells)
        self.assertGreater(max(each.attempt for each in rough.values()), 1)
        self.assertEqual({place: (each.digest, each.seed) for place, each in rough.items()},
                         {place: (each.digest, each.seed) for place, each in calm.items()})

    async def test_a_fault_that_stays_is_no_result(self):
        scores = []
        async with Pool(attempts=2) as pool:
            base = await pool.checkpoint(SETUP)
            for retryable, tries in ((True, 2), (False, 1)):
                with Failing(lambda _, code: "bad" in code, retryable):
                    found = await taken(pool, base, ["'good'", "'bad'"])
                self.assertEqual((found[0, 0].value, found[1, 0].outcome), ("'good'", Outcome("infra", "host_memory")))
                self.assertEqual((found[1, 0].attempt, found[1, 0].fault.code), (tries, "host_memory"))
                for asked in ("value", "stdout", "stderr", "execution", "files", "receipts", "digest"):
                    with self.assertRaises(InfraError):
                        scores.append(getattr(found[1, 0], asked) == "'good'")
                with self.assertRaises(InfraError):
                    await found[1, 0].keep()
        self.assertEqual(scores, [])

    async def test_an_outcome_that_is_the_machines_is_a_fault_too(self):
        end = mock.Mock(kind="infra", error_code="internal", message="no stack")
        real = AsyncSandbox.run_code

        async def run_code(self, code, *words, **more):
            found = await real(self, code, *words, **more)
            if "seed(" not in code:
                object.__setattr__(found.outcome, "end", end)
            return found

        async with Pool(attempts=2) as pool:
            base = await pool.checkpoint()
            with mock.patch.object(AsyncSandbox, "run_code", run_code):
                [found] = (await taken(pool, base, ["1"])).values()
                with self.assertRaises(InfraError):
                    await (await pool.session(base)).run_code("1")
        self.assertEqual((found.outcome.kind, str(found.fault)), ("infra", "no stack"))

    async def test_what_the_caller_has_wrong_is_raised(self):
        with self.assertRaises(SetupError) as failed:
            async with Pool() as pool:
                await pool.checkpoint(["x = 1", "1 / 0"])
        self.assertEqual((failed.exception.cell, failed.exception.execution.error.name), ("1 / 0", "ZeroDivisionError"))
        self.assertEqual(_native.live_sessions(), 0)
        async with Pool() as pool:
            base = await pool.checkpoint()
            for cells, wrong in (("1", TypeError), ([1], TypeError)):
                with self.assertRaises(wrong):
                    await taken(pool, base, cells)
            with self.assertRaises(ValueError):
                await taken(pool, base, ["1"], group=0)
            for limits in ({"wall": -1}, {"processes": 0}):
                with self.assertRaises(ValueError):
                    Limits(**limits)
            with self.assertRaises(TypeError):
                Limits(memory=1.5)

    async def test_a_task_that_is_cancelled_leaves_nothing(self):
        async with Pool() as pool:
            base = await pool.checkpoint()
            task = asyncio.create_task(taken(pool, base, ["while True: pass"] * 4, concurrency=2))
            while _native.live_sessions() < 3:
                await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # A fork that was made and not yet handed over when its caller was cancelled ends in the background.
            while _native.live_sessions() > 1:
                gc.collect()
                await asyncio.sleep(0)

    async def test_rollouts_call_functions_of_the_program(self):
        def price(name: str) -> int:
            """Returns a price."""
            return len(name)

        async with Pool() as pool:
            base = await pool.checkpoint(["from host import price"], functions=[price])
            found = await taken(pool, base, [f"price('{'x' * n}')" for n in range(4)])
            self.assertEqual([each.value for _, each in sorted(found.items())], ["0", "1", "2", "3"])

    async def test_a_rollout_has_what_the_policy_gives_and_no_more(self):
        code = "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:1/')"
        async with Pool(Policy.load("offline")) as pool:
            base = await pool.checkpoint()
            found = await taken(pool, base, [code, "open('/etc/shadow')", "open('own', 'w').write('1')"])
        self.assertEqual([(each.outcome.kind, each.outcome.what) for _, each in sorted(found.items())],
                         [("error", "URLError"), ("error", "FileNotFoundError"), ("ok", None)])
        self.assertEqual({receipt.verdict for receipt in found[0, 0].receipts}, {"denied"})
        self.assertEqual(found[2, 0].receipts, ())


class Sessions(unittest.IsolatedAsyncioTestCase):
    async def test_an_episode_has_steps_in_one_state(self):
        async with Pool() as pool:
            base = await pool.checkpoint(["x = 1"])
            async with await pool.session(base, "task/1") as one, await pool.session(base, "task/2") as other:
                await one.run_code("x += 1")
                await one.write("note", "hello")
                self.assertEqual((await one.run("cat note; exit 3")).exit_code, 3)
                self.assertEqual(((await one.run_code("x")).value, await one.read("note")), ("2", b"hello"))
                self.assertEqual(((await other.run_code("x")).value, one.steps), ("1", 4))
                self.assertNotEqual(one.seed, other.seed)
                child = await one.keep()
                with self.assertRaises(EndedError):
                    await one.run_code("x")
            async with await pool.session(child) as next_one:
                self.assertEqual(((await next_one.run_code("x")).value, await next_one.read("note")), ("2", b"hello"))

    async def test_the_same_id_comes_to_the_same(self):
        async def digest(pool, base, id):
            async with await pool.session(base, id) as session:
                await session.run_code("import os; (random.random(), os.urandom(2))")
                await session.run("date; echo $RANDOM")
                return session.digest

        async with Pool(SAME) as pool:
            base = await pool.checkpoint(SETUP)
            self.assertEqual(await digest(pool, base, "a"), await digest(pool, base, "a"))
            self.assertNotEqual(await digest(pool, base, "a"), await digest(pool, base, "b"))

    async def test_after_a_fault_it_does_again_what_it_had_done(self):
        async with Pool(SAME) as pool:
            base = await pool.checkpoint(SETUP)
            digests = []
            for fails in (lambda call, code: False, lambda call, code: code.startswith("rows.append(3)") and call < 8):
                async with await pool.session(base, "a") as session:
                    with Failing(fails) as failing:
                        for step in range(1, 5):
                            self.assertEqual((await session.run_code(f"rows.append({step}); len(rows)")).value, str(2 + step))
                        await session.write("note", "1")
                    digests.append((session.digest, (await session.run_code("(rows, random.random())")).value))
            self.assertGreater(failing.calls, 5)
            self.assertEqual(digests[0], digests[1])

    async def test_what_does_not_come_to_the_same_again_has_no_result(self):
        async with Pool() as pool:
            base = await pool.checkpoint(["import os"])
            session = await pool.session(base)
            await session.run_code("os.urandom(8)")
            with Failing(lambda _, code: code == "'next'"), self.assertRaisesRegex(InfraError, "something else"):
                await session.run_code("'next'")
            for ask in (session.run_code("1"), session.run("true"), session.read("x"), session.write("x", ""), session.keep()):
                with self.assertRaises(InfraError):
                    await ask
            with self.assertRaises(InfraError):
                _ = session.digest
            await session.close()

    async def test_a_fault_of_one_step_is_no_result_of_another(self):
        async with Pool(SAME) as pool:
            base, real, begun = await pool.checkpoint(), AsyncSandbox.run_code, []

            async def run_code(self, code, *words, **more):
                if code == "'next'" and len(begun) < 2:
                    begun.append(self)
                    while not await self.files.exists("begun"):
                        await asyncio.sleep(0.01)
                    raise fault()
                return await real(self, code, *words, **more)

            async with await pool.session(base) as session:
                with mock.patch.object(AsyncSandbox, "run_code", run_code):
                    done, found = await asyncio.gather(session.run("echo >begun; sleep 1; echo done"), session.run_code("'next'"))
                self.assertEqual((done.stdout, done.exit_code, found.value, len(begun)), ("done\n", 0, "'next'", 2))
                self.assertEqual((session.steps, _native.live_sessions()), (2, 2))

    async def test_an_episode_that_is_closed_starts_no_more(self):
        async with Pool() as pool:
            session = await pool.session(await pool.checkpoint())
            with Failing(lambda _, code: code == "'next'"):
                step = asyncio.create_task(session.run_code("'next'"))
                while session._sandbox is not None:
                    await asyncio.sleep(0)
                await session.close()
                with self.assertRaises(EndedError):
                    await step
            self.assertEqual(_native.live_sessions(), 1)

    async def test_an_episode_that_cannot_be_done_again_leaves_nothing(self):
        async with Pool() as pool:
            base = await pool.checkpoint(["import os"])
            session = await pool.session(base)
            await session.run_code("os.urandom(8)")
            with Failing(lambda _, code: code == "'next'"):
                try:
                    await session.run_code("'next'")
                except InfraError as error:
                    # Its frames are there, which `assertRaises` would clear.
                    failed, left = error, _native.live_sessions()
            self.assertIs(session.fault, failed)
            self.assertEqual(left, 1)


if __name__ == "__main__":
    unittest.main()
