"""The guide's reference of the Python package, docs/src/reference/python.md: `python_reference.py` prints what belongs there.
`python_reference.py --used FILE…` says whether these programs use all that is in it.

Names are those of `wisp_sandbox.__all__`, text is that of docstrings, and types are as the package's files and the stub of its module have
them: so nothing depends on the version of Python.
"""

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from pathlib import Path

WIDTH = 110  # of a signature in one line
LINE = 140  # of text
# Where each name stands. `AsyncX` stands with what it is the twin of, as far as it differs.
GROUPS = {
    "Sandboxes": ["Sandbox", "Snapshot", "FunctionInfo", "Engine"],
    "Commands": ["Commands", "CommandHandle", "CommandInfo", "OutputChunk", "Pty", "PtyHandle"],
    "Files": ["Files", "FileInfo", "FileInfos", "Transferred", "Diff", "FileDifference", "FileVersion", "PatchedFile", "Watch", "FileChange"],
    "Results": ["Execution", "Result", "Logs", "ExecutionError", "Frame", "CommandResult", "Outcome", "End", "LimitHit", "Usage", "Artifacts", "Artifact",
                "Receipt"],
    "Policies": ["Policy", "Mount"],
    "Errors": ["WispError", "RequestError", "NotFoundError", "EndedError", "SandboxFileNotFoundError", "SandboxFileExistsError",
               "SandboxPermissionError", "PolicyError", "DeniedError", "Finding", "SnapshotError", "LimitError", "TimeLimitError", "InfraError"],
}
HEAD = """# The Python package

What `wisp_sandbox` has. [The chapter](../python.md) shows how it is used. This page is made of the package itself: `toolchain/just python --bless`
writes it.

`__version__` is wisp's version. Times are in seconds, sizes in bytes.
"""
ON_A_LOOP = "On an event loop"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Package:
    """The package: the module, and the definitions in its files."""

    def __init__(self, module):
        self.module = module
        folder = Path(module.__file__).parent
        trees = [ast.parse(path.read_text()) for path in [folder / "_native.pyi", *sorted(folder.glob("*.py"))]]
        kinds = (ast.ClassDef, *FUNCTIONS)
        # What Python defines is what is public of that name, not what it stands on.
        self.definitions = {node.name: node for tree in trees for node in tree.body if isinstance(node, kinds)}
        # Names of types, which nobody can import: signatures say what they stand for.
        self.aliases = {node.targets[0].id: node.value for tree in trees for node in tree.body if is_alias(node)}

    def inherited(self, name, public):
        """The classes of the package on which a class stands, those that are public or the others."""
        bases = [base.id for base in self.definitions[name].bases if isinstance(base, ast.Name) and base.id in self.definitions]
        return [base for base in bases if (base in self.module.__all__) == public]

    def bases(self, name):
        """A class, and those that it has its members from and that are not public."""
        return [self.definitions[name], *(each for base in self.inherited(name, False) for each in self.bases(base))]

    def members(self, name):
        """The public members of a class, those of its own first, without what it has of another public class."""
        elsewhere, found = {each for base in self.inherited(name, True) for each in self.members(base)}, {}
        for node in self.bases(name):
            for each in members(node):
                if node is self.definitions[name] or each.name not in elsewhere:
                    found.setdefault(each.name, each)
        return found

    def type(self, node, owner=None):
        """A type as text."""
        return quoted(ast.unparse(Types(self.aliases, owner).visit(ast.parse(ast.unparse(node), mode="eval").body)))


class Types(ast.NodeTransformer):
    """Writes out names of types, and `Self`."""

    def __init__(self, aliases, owner):
        self.aliases, self.owner = aliases, owner

    def visit_Name(self, node):
        if node.id == "Self" and self.owner:
            return ast.Name(self.owner)
        if node.id in self.aliases:
            return self.visit(ast.parse(ast.unparse(self.aliases[node.id]), mode="eval").body)
        # The variable of a type.
        return ast.Name(node.id.lstrip("_"))

    def visit_Constant(self, node):
        # A name in quotes, but no value of a Literal.
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node

    def visit_Subscript(self, node):
        return node if isinstance(node.value, ast.Name) and node.value.id == "Literal" else self.generic_visit(node)


@dataclasses.dataclass
class Member:
    """A method with its signatures, a property or a field with its type, or another name of one."""

    name: str
    kind: str  # "method", "property", "field", "same"
    nodes: list
    value: str = ""


def is_alias(node):
    """Is this a name of a type?"""
    return (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id[0].isupper()
            and isinstance(node.value, (ast.Subscript, ast.BinOp)))


def quoted(text):
    """Python as it is written here: with double quotes."""
    return re.sub(r"'([^'\"\\]*)'", r'"\1"', text)


def decorators(node):
    return {ast.unparse(one) for one in node.decorator_list}


def members(node):
    """The public members of the body of a class."""
    found = {}
    for each in node.body:
        if isinstance(each, FUNCTIONS):
            if each.name == "__init__":
                for inner in each.body:
                    if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Attribute) and not inner.target.attr.startswith("_"):
                        found[inner.target.attr] = Member(inner.target.attr, "field", [inner.annotation])
            if each.name.startswith("_"):
                continue
            kind, there = "property" if "property" in decorators(each) else "method", found.get(each.name)
            if there is None:
                found[each.name] = Member(each.name, kind, [each])
            elif "overload" in decorators(each):
                there.nodes.append(each)
        elif isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_"):
            found[each.target.id] = Member(each.target.id, "field", [each.annotation])
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and not each.targets[0].id.startswith("_"):
            found[each.targets[0].id] = Member(each.targets[0].id, "same", [], each.value.id)
    return list(found.values())


def signature(package, node, title, owner):
    """A function as it is called, in one line or a line for each argument."""
    arguments, words = node.args, []
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for number, (argument, default) in enumerate(zip(positional, defaults), 1):
        words.append(parameter(package, argument, default, owner))
        if number == len(arguments.posonlyargs) and number > 1:
            words.append("/")
    if owner and positional and "staticmethod" not in decorators(node):
        words.pop(0)  # self, cls
    if arguments.vararg:
        words.append("*" + parameter(package, arguments.vararg, None, owner))
    elif arguments.kwonlyargs:
        words.append("*")
    words += [parameter(package, one, default, owner) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        words.append("**" + parameter(package, arguments.kwarg, None, owner))
    result = "" if node.returns is None else f" -> {package.type(node.returns, owner)}"
    line = f"{title}({', '.join(words)}){result}"
    return line if len(line) <= WIDTH else f"{title}(\n" + "".join(f"    {word},\n" for word in words) + f"){result}"


def parameter(package, argument, default, owner):
    text = argument.arg
    if argument.annotation is not None:
        text += f": {package.type(argument.annotation, owner)}"
    if default is not None:
        text += f" = {quoted(ast.unparse(default))}" if argument.annotation is not None else f"={quoted(ast.unparse(default))}"
    return text


def block(lines):
    return "```python\n" + "\n".join(lines) + "\n```\n"


def said(found, what):
    """A docstring, which everything public has."""
    text = inspect.getdoc(found)
    if not text:
        raise SystemExit(f"{what} has no docstring")
    return text


def defaults(found):
    """The default values of a class's fields, as text."""
    if dataclasses.is_dataclass(found):
        texts = {}
        for one in dataclasses.fields(found):
            if one.default is not dataclasses.MISSING:
                texts[one.name] = quoted(repr(one.default))
            elif one.default_factory is not dataclasses.MISSING:
                texts[one.name] = repr(one.default_factory())
        return texts
    return {name: quoted(repr(value)) for name, value in getattr(found, "_field_defaults", {}).items()}


def fields(package, name, all_members):
    """The fields of a class, with their types and default values."""
    values = defaults(getattr(package.module, name))
    return [f"{one.name}: {package.type(one.nodes[0], name)}" + (f" = {values[one.name]}" if one.name in values else "")
            for one in all_members if one.kind == "field"]


def properties(package, name, all_members):
    """The properties of a class, a line each."""
    found = getattr(package.module, name)
    return [wrapped(f"- `{one.name}: {package.type(one.nodes[0].returns, name)}`: {said(getattr(found, one.name), f'{name}.{one.name}')}")
            for one in all_members if one.kind == "property"]


def constructor(package, name):
    """How an object is made, where the program makes it: not of what only the package has, and not of the fields that it shows anyway."""
    for node in package.bases(name):
        for each in node.body:
            if not isinstance(each, FUNCTIONS) or each.name not in ("__init__", "__new__"):
                continue
            line, text = signature(package, each, name, name).rpartition(" -> ")[0], ast.get_docstring(each)
            if "_native" in ast.unparse(each.args) or any(one.kind == "field" for one in members(node)):
                return []
            return [block([line]), *([text + "\n"] if text else [])]
    return []


def method(package, name, one):
    """A method: its signatures, and what it does."""
    if one.kind == "same":
        return [f"#### `{name}.{one.name}`\n", f"The same as `{one.value}`.\n"]
    lines = [f"#### `{name}.{one.name}`\n", block(signature(package, node, one.name, name) for node in one.nodes)]
    return [*lines, said(getattr(getattr(package.module, name), one.name), f"{name}.{one.name}") + "\n"]


def one_class(package, name):
    """A class, with everything public in it."""
    found, all_members = getattr(package.module, name), list(package.members(name).values())
    lines = [f"### `{name}`\n"]
    bases = [base.__name__ for base in found.__bases__ if base is not object and not base.__name__.startswith("Base") and base is not tuple]
    if bases and issubclass(found, BaseException):
        lines.append("Is " + " and ".join(f"{'an' if base[0] in 'AEIOU' else 'a'} `{base}`" for base in bases) + ".\n")
    elif public := package.inherited(name, True):
        lines.append("Has all of " + " and ".join(f"`{base}`" for base in public) + ".\n")
    elif listed := [base for base in package.definitions[name].bases if isinstance(base, ast.Subscript)]:
        lines.append("Is a " + " and a ".join(f"`{package.type(base)}`" for base in listed) + ".\n")
    lines += [said(found, name) + "\n", *constructor(package, name)]
    if texts := fields(package, name, all_members):
        lines.append(block(texts))
    if texts := properties(package, name, all_members):
        lines.append("\n".join(texts) + "\n")
    for one in all_members:
        if one.kind in ("method", "same"):
            lines += method(package, name, one)
    return lines


def function(package, name):
    """A function of the package."""
    return [f"### `{name}`\n", block([signature(package, package.definitions[name], name, None)]), said(getattr(package.module, name), name) + "\n"]


def twin(package, name):
    """What a class of an event loop has that its twin has not."""
    other = name.removeprefix("Async")
    mine, its = package.members(name), package.members(other)
    ways, bullets, others = {"Awaited": [], "For `async for`": [], "Not awaited": []}, [], []
    for one in mine.values():
        if one.name not in its:
            raise SystemExit(f"{other} has no `{one.name}`, and {name} has")
        node = mine[one.value].nodes[0] if one.kind == "same" else one.nodes[0]
        if not isinstance(node, FUNCTIONS) or one.kind == "property":
            continue
        result = "" if node.returns is None else ast.unparse(node.returns)
        is_stream = result.startswith(("AsyncIterator", "AsyncGenerator"))
        ways["For `async for`" if is_stream else "Awaited" if isinstance(node, ast.AsyncFunctionDef) else "Not awaited"].append(one.name)
        if one.kind == "same":
            continue
        if text := new_sentences(package, name, other, one):
            bullets.append(wrapped(f"- `{one.name}`: {text}") + "\n")
        signatures = [[signature(package, each, one.name, owner) for each in found.nodes] for found, owner in ((one, name), (its[one.name], other))]
        if without_async(signatures[0]) != without_async(signatures[1]):
            others += [f"#### `{name}.{one.name}`\n", block(signatures[0])]
    said_ways = "; ".join(f"{way.lower() if number else way}: {', '.join(f'`{one}`' for one in names)}"
                          for number, (way, names) in enumerate((way, names) for way, names in ways.items() if names))
    head = [f"### `{name}`\n", f"Has the names of `{other}`, with the same arguments.\n", wrapped(said_ways + ".") + "\n"]
    return [*head, *(["".join(bullets)] if bullets else []), *others]


def without_async(lines):
    return [line.replace("Async", "") for line in lines]


def new_sentences(package, name, other, one):
    """What a method's docstring says that its twin's does not."""
    texts = [flowing(said(getattr(getattr(package.module, each), one.name), f"{each}.{one.name}")) for each in (name, other)]
    mine, its = (re.split(r"(?<=[.:])\s+(?=[A-Z`])", text) for text in texts)
    return " ".join(sentence for sentence in mine if sentence.replace("Async", "") not in its)


def flowing(text):
    return " ".join(text.split())


def wrapped(text):
    """Text in lines; those of an item of a list stand below its first."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(flowing(text), LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def reference(module):
    """The whole page."""
    package = Package(module)
    names = {name for name in module.__all__ if name != "__version__"}
    twins = {name for name in names if name.startswith("Async") and name.removeprefix("Async") in names}
    grouped = {name for group in GROUPS.values() for name in group}
    if names - twins != grouped:
        raise SystemExit(f"GROUPS in {Path(__file__).name} must have each name once: {sorted((names - twins) ^ grouped)}")
    lines = [HEAD]
    for title, group in GROUPS.items():
        lines.append(f"## {title}\n")
        for name in group:
            lines += one_class(package, name) if inspect.isclass(getattr(module, name)) else function(package, name)
    lines.append(f"## {ON_A_LOOP}\n")
    for name in sorted(twins, key=lambda name: [name.removeprefix("Async") for group in GROUPS.values() for name in group].index(name.removeprefix("Async"))):
        lines += twin(package, name)
    return "\n".join(lines)


def uses(path):
    """What a program uses: names, and members by a name or by an argument of their class."""
    tree = ast.parse(path.read_text())
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    seen = {(node.id, None) for node in ast.walk(tree) if isinstance(node, ast.Name)} | {(node.value.id, node.attr) for node in attributes}
    for function in (node for node in tree.body if isinstance(node, FUNCTIONS)):
        classes = {argument.arg: argument.annotation.id for argument in function.args.args if isinstance(argument.annotation, ast.Name)}
        seen |= {(classes[node.value.id], node.attr) for node in ast.walk(function) if node in attributes and node.value.id in classes}
    return seen


def used(module, paths):
    """Says how much of the package some programs use: every name, and every member. Is it all?"""
    package, seen = Package(module), set().union(*map(uses, paths))
    public = [(name, None) for name in module.__all__]
    public += [(name, member) for name in module.__all__ if inspect.isclass(getattr(module, name)) for member in package.members(name)]
    missing = [one for one in public if one not in seen]
    for name, member in missing:
        print(f"no program uses {name}{'' if member is None else '.' + member}")
    print(f"{len(public) - len(missing)} of {len(public)} names are used")
    return not missing


def main():
    import wisp_sandbox

    if sys.argv[1:2] == ["--used"]:
        sys.exit(0 if used(wisp_sandbox, [Path(word) for word in sys.argv[2:]]) else 1)
    sys.stdout.write(reference(wisp_sandbox))


if __name__ == "__main__":
    main()
