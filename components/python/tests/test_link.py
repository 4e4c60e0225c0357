"""The replacement of an HTTP connection's socket, without a host: the bytes of HTTP/1.1 in and out."""

import http.client
import pathlib
import socket
import sys
import unittest
import urllib.error
import urllib.request
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from _wisp import link, web_clients  # noqa: E402


class Exchange:
    """Records the request and returns the next of `answers`, in place of `web.Exchange`."""

    made = []
    answers = []

    def __init__(self, method, scheme, authority, target, headers, sends, connect_timeout=None):
        self.asked = (method, f"{scheme}://{authority}{target}", dict(headers))
        self.sends, self.body, self.finished, self.closed = sends, b"", False, False
        self.made.append(self)
        self.answer = self.answers.pop(0) if self.answers else (200, [("Content-Length", b"2")], [b"ok"])
        if isinstance(self.answer, PermissionError):
            raise self.answer
        self.pieces = [] if isinstance(self.answer, Exception) else list(self.answer[2])

    def write(self, data, deadline=None):
        self.body += bytes(data)

    def finish(self):
        self.finished = True

    def response(self, deadline=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer[:2]

    def read(self, size, deadline=None):
        piece = self.pieces.pop(0) if self.pieces else b""
        if isinstance(piece, Exception):
            raise piece
        return piece

    def close(self):
        self.closed = True


class Links(unittest.TestCase):
    """`http.client` and `urllib` on a link."""

    def setUp(self):
        Exchange.made.clear()
        Exchange.answers.clear()
        patches = [
            mock.patch.object(link, "begin", Exchange),
            mock.patch.object(link, "deadline_of", lambda timeout: timeout),
            mock.patch.object(http.client.HTTPConnection, "connect", web_clients._connect),
        ]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)
        self.connection = http.client.HTTPConnection("example.com", 8080)

    def ask(self, *arguments, **options):
        self.connection.request(*arguments, **options)
        return self.connection.getresponse()

    def test_one_connection_has_many_requests(self):
        """Each request is an exchange of its own, which is released when it has been read."""
        for path in ("/a", "/b?c=d"):
            response = self.ask("GET", path, headers={"X": "y"})
            self.assertEqual((response.status, response.read()), (200, b"ok"))
        first, second = Exchange.made
        self.assertEqual(second.asked[:2], ("GET", "http://example.com:8080/b?c=d"))
        self.assertEqual(first.asked[2]["X"], b"y")
        self.assertTrue(first.closed and second.closed and not first.sends)

    def test_bodies(self):
        """Of known length, and in chunks that are taken apart again."""
        self.ask("POST", "/", body=b"12345").read()
        self.ask("POST", "/", body=iter([b"ab", b"", b"c" * 5000]), encode_chunked=True).read()
        whole, chunks = Exchange.made
        self.assertEqual((whole.body, whole.finished), (b"12345", True))
        self.assertEqual((chunks.body, chunks.sends, chunks.finished), (b"ab" + b"c" * 5000, True, True))

    def test_a_request_in_small_pieces(self):
        """Requests by a program that writes to the socket itself."""
        one = link.Link("h", 80)
        for byte in b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n":
            one.sendall(bytes([byte]))
        self.assertEqual((Exchange.made[0].body, Exchange.made[0].finished), (b"abc", True))
        self.assertEqual(one.makefile("rb").readline(), b"HTTP/1.1 200 OK\r\n")

    def test_ends_that_come_too_early(self):
        """Before the response, and within it."""
        Exchange.answers += [link.Incomplete(), (200, [("Content-Length", b"9")], [b"abc", link.Incomplete()])]
        with self.assertRaises(http.client.RemoteDisconnected):
            self.ask("GET", "/")
        self.connection.close()
        with self.assertRaises(http.client.IncompleteRead):
            self.ask("GET", "/").read()

    def test_a_body_without_a_length(self):
        """A body that ends is whole; a truncated one is not."""
        Exchange.answers += [(200, [], [b"abc", b"d" * 70_000]), (200, [], [b"abc", link.Incomplete()])]
        self.assertEqual(self.ask("GET", "/").read(), b"abc" + b"d" * 70_000)
        with self.assertRaises(http.client.IncompleteRead):
            self.ask("GET", "/").read()

    def test_who_cannot_be_reached_is_known_when_the_request_is_sent(self):
        """An error that urllib wraps, as it does elsewhere."""
        Exchange.answers += [socket.gaierror(-2, "Name or service not known"), PermissionError(13, "denied by wisp: x")]
        for kind in (socket.gaierror, PermissionError):
            with self.assertRaises(urllib.error.URLError) as caught:
                urllib.request.OpenerDirector.open(self.opener(), "http://example.com/")
            self.assertIsInstance(caught.exception.reason, kind)

    def test_a_slow_answer_is_the_readers_timeout(self):
        """A failure that is not the sender's."""
        Exchange.answers += [TimeoutError("timed out")]
        self.connection.timeout = 5
        self.connection.request("GET", "/")
        with self.assertRaises(TimeoutError):
            self.connection.getresponse()

    def test_refusals(self):
        """Another host's name, and proxies."""
        with self.assertRaisesRegex(OSError, "the header Host is the host's, it is example.com:8080"):
            self.ask("GET", "/", headers={"Host": "other"})
        with self.assertRaisesRegex(OSError, "knows no proxies"):
            link.Link("proxy", 80).sendall(b"GET http://a/ HTTP/1.1\r\nHost: proxy\r\n\r\n")
        self.assertEqual(Exchange.made, [])

    @staticmethod
    def opener():
        """An opener that uses nothing of this machine."""
        return urllib.request.build_opener(urllib.request.ProxyHandler({}))


if __name__ == "__main__":
    unittest.main()
