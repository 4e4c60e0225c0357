"""SQL text: where a statement ends, what it binds, and where an error in it is."""

import re
import sqlite3

_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))|(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])"""
    r"""|(?P<open>['"`\[])|(?P<end>;)|(?P<bound>\?\d*|[:@$][A-Za-z_0-9]+)|(?P<word>[\w$]+)|(?P<other>.)""",
    re.DOTALL,
)


def split(text):
    """The statements of a text as (start, statement), without what follows their semicolon."""
    start, words = 0, []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            break
        if kind == "word" and len(words) < 3:
            words.append(token[0].lower())
        if kind == "end":
            trigger = words[:1] == ["create"] and "trigger" in words
            if trigger and not sqlite3.complete_statement(text[start: token.end()]):
                continue
            yield start, text[start: token.end()]
            start, words = token.end(), []
    if text[start:].strip():
        yield start, text[start:]


def complete(text):
    """Whether a text ends with a whole statement."""
    return sqlite3.complete_statement(text)


def blank(text):
    """Whether a text contains only white space and comments."""
    tokens = list(_TOKEN.finditer(text))
    open_comment = tokens and tokens[-1][0].startswith("/*") and not tokens[-1][0].endswith("*/")
    return not open_comment and all(t.lastgroup in ("space", "end") for t in tokens)


def bindings(statement, parameters):
    """The values to bind: everything that is not set is NULL."""
    found = [t[0] for t in _TOKEN.finditer(statement) if t.lastgroup == "bound"]
    if not found:
        return ()
    if any(word.startswith("?") for word in found):
        numbers, last = [], 0
        for word in found:
            last = int(word[1:]) if word[1:].isdigit() else last + 1
            numbers.append(last)
        return [parameters.get(f"?{n}") for n in range(1, max(numbers) + 1)]
    return _Named({name[1:]: value for name, value in parameters.items()})


class _Named(dict):
    def __missing__(self, _):
        return None


def place(connection, statement, message):
    """The offset in the statement of an error in its text; None if it cannot be determined."""
    near = re.match(r'near "(.*)": syntax error', message, re.DOTALL)
    if near:
        return _syntax(connection, statement, near[1], message)
    token = re.match(r'unrecognized token: "(.*)"', message, re.DOTALL)
    if token:
        at = statement.find(token[1])
        return at if at >= 0 else None
    named = re.match(r"no such (?:column|function): (.*)", message)
    if named:
        at = re.search(r"(?<![\w.])" + re.escape(named[1]) + r"(?!\w)", statement, re.IGNORECASE)
        return at.start() if at else None
    there = re.match(r"(?:table|index|view|trigger) (\S+) already exists", message)
    if there:
        at = re.search(rf"""(?<!\w)["'`]?{re.escape(there[1].strip('"'))}(?!\w)""", statement, re.IGNORECASE)
        return at.start() if at else None
    return None


def _syntax(connection, statement, word, message):
    """The parser reads from left to right: find the first offset at which the text up to the word fails."""
    for token in _TOKEN.finditer(statement):
        if token[0] != word:
            continue
        try:
            connection.execute("EXPLAIN " + statement[: token.end()]).close()
        except sqlite3.Error as error:
            if str(error) == message:
                return token.start()
        except sqlite3.Warning:
            pass
    return None


def context(text, at):
    """The lines that show an offset in a text."""
    while at > 50:
        text, at = text[1:], at - 1
    shown = re.sub(r"\s", " ", text[:78])
    if at < 25:
        return f"\n  {shown}\n  {'':>{at}}^--- error here"
    return f"\n  {shown}\n  {'':>{at - 14}}error here ---^"
