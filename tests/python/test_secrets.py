"""Secrets: the program gives their values, and the code has placeholders."""

import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from wisp_sandbox import PolicyError, RequestError, Sandbox

VALUE = "t0p-s3cret-value"


def policy(url="https://api.example/", forks=False):
    return f"""
extends = "offline"
name = "secrets"
[network]
allow = [{{ url = "{url}" }}]
[[network.secret]]
host = "api.example"
header = "Authorization"
value_from_env = "WISP_TEST_TOKEN"
format = "Bearer {{}}"
forks = {str(forks).lower()}
"""


class Secrets(unittest.TestCase):
    def token(self, sandbox):
        """What the sandbox has in the place of the secret."""
        return sandbox.commands.run("printf %s \"$WISP_TEST_TOKEN\"").stdout

    def test_the_code_has_a_placeholder(self):
        seen = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.headers["Authorization"])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/"
        with Sandbox.create(policy(url), secrets={"WISP_TEST_TOKEN": VALUE}) as sandbox:
            placeholder = self.token(sandbox)
            self.assertTrue(placeholder)
            # Sent to another host than its own, it is worth nothing.
            done = sandbox.commands.run(f'curl -sS -o /dev/null -w "%{{http_code}}" -H "Authorization: $WISP_TEST_TOKEN" {url}')
            self.assertEqual((done.stdout, done.stderr), ("200", ""))
            self.assertEqual(seen, [placeholder])
            shown = sandbox.commands.run("env").stdout + sandbox.run_code("import os; dict(os.environ)").value
            for text in (placeholder, shown, repr(sandbox), sandbox.policy.text, sandbox.explain(for_model=True), str(sandbox.receipts)):
                self.assertNotIn(VALUE, text)

    def test_a_secret_without_a_value_is_an_error(self):
        for secrets in (None, {}):
            with self.assertRaisesRegex(PolicyError, "the secret `WISP_TEST_TOKEN` has no value"):
                Sandbox.create(policy(), secrets=secrets)

    def test_a_value_that_the_policy_has_no_use_for_is_refused(self):
        for text, said in ((policy(), "it has WISP_TEST_TOKEN"), ("offline", "it has none")):
            with self.assertRaises(RequestError) as unknown:
                Sandbox.create(text, secrets={"OTHER_TOKEN": VALUE})
            self.assertEqual(unknown.exception.code, "invalid_argument")
            self.assertIn("no secret `OTHER_TOKEN`", str(unknown.exception))
            self.assertIn(said, str(unknown.exception))
            self.assertNotIn(VALUE, str(unknown.exception))

    def test_a_value_that_cannot_be_sent_is_not_shown(self):
        with self.assertRaises(PolicyError) as wrong:
            Sandbox.create(policy(), secrets={"WISP_TEST_TOKEN": f"{VALUE}\n"})
        self.assertNotIn(VALUE, str(wrong.exception))

    def test_it_is_kept(self):
        for forks in (False, True):
            with Sandbox.create(policy(forks=forks), secrets={"WISP_TEST_TOKEN": VALUE}) as sandbox:
                # Opened anew, with a function, it has the secret too: without its value it could not be.
                sandbox.function(print_nothing)
                self.assertTrue(self.token(sandbox))
                fork, = sandbox.fork()
                with fork:
                    self.assertEqual(self.token(fork) == self.token(sandbox), forks)


def print_nothing() -> None:
    """Does nothing."""
