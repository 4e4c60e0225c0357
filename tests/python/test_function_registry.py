"""When functions are registered: with `create`, by a decorator before the first call, for forks, with a key."""

import threading
import unittest

from kit import printed
from wisp_sandbox import AsyncSandbox, RequestError, Sandbox, WispError, _native


def search(query: str, limit: int = 3) -> list[str]:
    """Searches the pages."""
    return [f"{query} {number}" for number in range(limit)]


def other() -> None:
    """Does nothing."""


DENIED = "try: host.call('search', {'query': 'a'})\nexcept host.Denied as error: print(error.message)"


class Registered(unittest.TestCase):
    def test_a_decorator_before_the_first_call(self):
        with Sandbox.create(files={"note": "1"}, env={"A": "1"}) as sandbox:
            id, receipts = sandbox.id, len(sandbox.receipts)
            self.assertIs(sandbox.function(search), search)

            @sandbox.function(name="renamed")
            async def other(x: int) -> int:
                """Doubles."""
                return x * 2

            # Until then it can be taken back.
            sandbox.function(name="renamed")(other)
            self.assertEqual([info.name for info in sandbox.functions], ["renamed", "search"])
            self.assertLessEqual({"host.allow search", "host.allow renamed"}, set(sandbox.policy.grants))
            self.assertIn("search", sandbox.explain(for_model=True))
            self.assertEqual(printed(sandbox, "import host, os\nprint(host.functions(), host.renamed(4), os.environ['A'], open('note').read())"),
                             "['renamed', 'search'] 8 1 1\n")
            self.assertEqual((sandbox.id, receipts, _native.live_sessions()), (id, 0, 1))
            self.assertEqual([info.documentation.split("\n")[0] for info in sandbox.functions], ["Doubles.", "Searches the pages."])
            # Now what it may call is decided.
            with self.assertRaises(RequestError) as late:
                sandbox.function(search)
            self.assertEqual(late.exception.code, "conflict")
            self.assertIn("before the first call", str(late.exception))
            self.assertIn("functions=", str(late.exception))
        self.assertEqual(_native.live_sessions(), 0)

    def test_each_first_call_opens_it(self):
        for call in (lambda sandbox: sandbox.commands.run("true"), lambda sandbox: sandbox.files.exists("x"), Sandbox.snapshot, Sandbox.fork,
                     lambda sandbox: sandbox.call_function("search", {"query": "a"}), Sandbox.reset):
            with Sandbox.create() as sandbox:
                sandbox.function(search)
                call(sandbox)
                self.assertEqual(sandbox.commands.run("host --list").stdout, "search  Searches the pages.\n")

    def test_many_first_calls_at_once(self):
        with Sandbox.create() as sandbox:
            sandbox.function(search)
            found = []
            threads = [threading.Thread(target=lambda: found.append(sandbox.commands.run("host --list").stdout)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((found, _native.live_sessions()), (["search  Searches the pages.\n"] * 8, 1))

    def test_a_closed_one_takes_none(self):
        sandbox = Sandbox.create()
        sandbox.function(search)
        sandbox.close()
        for call in (lambda: sandbox.function(other), lambda: sandbox.run_code("1")):
            with self.assertRaisesRegex(WispError, "the sandbox is closed"):
                call()
        self.assertEqual(_native.live_sessions(), 0)

    def test_a_policy_that_can_have_none(self):
        with Sandbox.create('extends = "offline"\n[determinism]\nseed = 1\n') as sandbox:
            sandbox.function(search)
            for _ in range(2):
                with self.assertRaises(WispError) as refused:
                    sandbox.run_code("1")
                self.assertIn("search", str(refused.exception))

    def test_a_key(self):
        with Sandbox.create(key="functions", functions=[search]) as first:
            for functions in ((), [search]):
                self.assertEqual(Sandbox.create(key="functions", functions=functions).id, first.id)
            with self.assertRaises(RequestError) as missing:
                Sandbox.create(key="functions", functions=[other])
            self.assertEqual(missing.exception.code, "conflict")
            self.assertIn("was made without the function `other`", str(missing.exception))
        with Sandbox.create(key="functions") as second:
            second.function(search)
            self.assertEqual(printed(second, "import host\nprint(host.functions())"), "['search']\n")
            self.assertEqual((Sandbox.create(key="functions").id, _native.live_sessions()), (second.id, 1))

    def test_a_key_finds_no_function_of_another(self):
        class User:
            def __init__(self, name):
                self.name = name

            def who(self) -> str:
                return self.name

        def made_for(user):
            def who() -> str:
                return user

            return who

        ann, bob, closure = User("ann"), User("bob"), made_for("ann")
        for own, others in ((ann.who, (bob.who, made_for("ann"))), (closure, (made_for("bob"), made_for("ann"), ann.who))):
            with Sandbox.create(key="who", functions=[own]) as first:
                for other in others:
                    with self.assertRaises(RequestError) as refused:
                        Sandbox.create(key="who", functions=[other])
                    self.assertEqual(refused.exception.code, "conflict")
                    self.assertIn("the sandbox with the key `who` has another function `who`", str(refused.exception))
                # The same one, or none; before its first call and after it. A method is another object whenever it is looked at.
                for _ in range(2):
                    again = Sandbox.create(key="who", functions=[own if own is closure else ann.who])
                    self.assertEqual((again.id, Sandbox.create(key="who").id), (first.id, first.id))
                    self.assertEqual(printed(again, "import host\nprint(host.who())"), "ann\n")
        with Sandbox.create(key="who") as later:
            later.function(made_for("bob"))
            # Until it is used, another one takes its place.
            later.function(closure)
            self.assertEqual(Sandbox.create(key="who", functions=[closure]).id, later.id)
            with self.assertRaises(RequestError):
                Sandbox.create(key="who", functions=[made_for("bob")])

    def test_forks_have_what_they_are_given(self):
        with Sandbox.create() as sandbox:
            sandbox.function(search)
            sandbox.function(name="shared", forks=True)(search)
            fork, = sandbox.fork()
            with fork:
                self.assertEqual([info.name for info in fork.functions], ["shared"])
                said = printed(fork, "import host\nprint(host.shared('a', limit=1))\n" + DENIED)
                self.assertTrue(said.startswith("['a 0']\n"), said)
                self.assertIn("this session is a fork, and `host.forks` does not list it", said)
                with self.assertRaises(RequestError):
                    fork.function(other)
            self.assertEqual(printed(sandbox, "import host\nprint(host.search('a', limit=1))"), "['a 0']\n")


class OnALoop(unittest.IsolatedAsyncioTestCase):
    async def test_the_twin(self):
        async with await AsyncSandbox.create(functions=[search]) as sandbox:
            sandbox.function(other)
            self.assertEqual([info.name for info in sandbox.functions], ["other", "search"])
            self.assertEqual(await sandbox.call_function("search", {"query": "a", "limit": 1}), ["a 0"])
            self.assertEqual((await sandbox.run_code("import host\nhost.functions()")).value, "['other', 'search']")
            with self.assertRaises(RequestError):
                sandbox.function(search)
