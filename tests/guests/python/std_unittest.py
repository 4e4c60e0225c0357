import unittest, sys, doctest, unittest.mock as mock
class T(unittest.TestCase):
    def test_ok(self): self.assertEqual(1 + 1, 2)
    def test_bad(self): self.assertEqual(1, 2)
    @unittest.skip("reason")
    def test_skip(self): pass
    def test_mock(self):
        m = mock.Mock(return_value=3); self.assertEqual(m(1), 3); m.assert_called_once_with(1)
        with mock.patch("os.getcwd", return_value="/x"):
            import os; self.assertEqual(os.getcwd(), "/x")
unittest.main(exit=True)
