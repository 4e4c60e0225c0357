"""An expect program drives `wisp run` as people script terminals: `session.py WISP`."""

import sys

import pexpect

PROMPT = "user@wisp:~[$] "
#: What the shell's editor writes when it has taken a line.
TAKEN = "\x1b\\[[?]2004l"
#: Seconds: the first run on a machine compiles.
PATIENCE = 300


def at_terminal(*command):
    """`wisp run` at a pseudo-terminal of pexpect's."""
    child = pexpect.spawn(sys.argv[1], ["run", "--", *command], encoding="utf-8", timeout=PATIENCE, dimensions=(30, 100))
    # Each key is sent when what came before it was seen.
    child.delaybeforesend = None
    return child


def ends(child, status):
    """It ends with this status."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == status, (child.exitstatus, child.signalstatus, child.before)


def shell():
    """Lines are edited and come back; programs have the screen; Ctrl-C interrupts."""
    child = at_terminal("sh")
    child.expect(PROMPT)
    child.send("ehco one\x01\x1b[C\x04\x1b[Ch\r")
    child.expect(TAKEN + "one\r\n")
    child.expect(PROMPT)
    child.send("\x1b[A two\r")
    child.expect(TAKEN + "one two\r\n")
    child.expect(PROMPT)
    child.sendline("seq 100 > numbers; less numbers")
    child.expect("29\r\n\x1b\\[7mnumbers\x1b\\[0m")
    child.send("G")
    child.expect("100\r\n\x1b\\[7m[(]END[)]\x1b\\[0m")
    child.send("q")
    child.expect(PROMPT)
    child.sendline("sleep 1000")
    child.expect(TAKEN)
    child.sendintr()
    child.expect(PROMPT)
    child.sendline("echo status $?")
    child.expect(TAKEN + "status 130\r\n")
    child.expect(PROMPT)
    child.setwinsize(40, 120)
    child.sendline("until stty size | grep '40 120'; do :; done")
    child.expect("40 120\r\n")
    child.expect(PROMPT)
    child.sendline("exit 3")
    ends(child, 3)


def interpreter():
    """Python's own interactive interpreter."""
    child = at_terminal("python3", "-q")
    child.expect(">>> ")
    child.send("prit('edi' 'ted')\x01\x06\x06\x06n\r")
    child.expect("edited\r\n")
    child.expect(">>> ")
    child.send("\x10\r")
    child.expect("edited\r\n")
    child.expect(">>> ")
    child.sendeof()
    ends(child, 0)


def database():
    """sqlite3."""
    child = at_terminal("sqlite3")
    child.expect("sqlite> ")
    child.send("selet 40+2;\x01\x06\x06\x06\x06c\r")
    child.expect("42\r\n")
    child.expect("sqlite> ")
    child.sendline(".quit")
    ends(child, 0)


for part in (shell, interpreter, database):
    part()
    print(part.__name__, "ok")
