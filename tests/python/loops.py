"""The tests of the event loop on uvloop: `loops.py`, which `toolchain/just python --tools` runs."""

import asyncio
import sys
import unittest

import test_async
import uvloop

if sys.version_info < (3, 13):
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())


class Loop(test_async.Async):
    loop_factory = staticmethod(uvloop.new_event_loop)  # from Python 3.13 on

    async def test_it_is_this_one(self):
        self.assertIsInstance(asyncio.get_running_loop(), uvloop.Loop)


if __name__ == "__main__":
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Loop)
    sys.exit(not unittest.TextTestRunner().run(tests).wasSuccessful())
