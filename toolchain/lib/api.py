"""rustdoc's JSON as text: the public items of a crate, with those it exports again from crates beside it, a line each."""

from collections.abc import Iterator


class Api:
    """The documents of several crates, by the crates' names."""

    def __init__(self, documents: dict):
        self.documents = documents

    def lines(self, crate: str) -> list:
        """Every public item of a crate below its path, sorted by path, so that what belongs to a type follows it."""
        document = self.documents[crate]
        return sorted(set(self._module(document, str(document["root"]), crate)), key=lambda line: (line.split(" ", 1)[1], line))

    def _module(self, document: dict, number: str, path: str) -> Iterator[str]:
        for child in document["index"][number]["inner"]["module"]["items"]:
            item = document["index"].get(str(child))
            if item is not None and item["visibility"] == "public" and not _hidden(item):
                yield from self._item(document, item, path)

    def _item(self, document: dict, item: dict, path: str) -> Iterator[str]:
        (kind, inner), = item["inner"].items()
        here = f"{path}::{item['name']}"
        if kind == "module":
            yield f"mod {here}"
            yield from self._module(document, str(item["id"]), here)
        elif kind == "use":
            found = self._target(document, inner)
            if found is None:
                yield f"use {path}::{inner['name']} = {inner['source']}"
            else:
                other, target = found
                yield from self._item(other, {**target, "name": inner["name"]}, path)
        elif kind in ("struct", "enum", "trait"):
            yield from self._type(document, item, kind, inner, here)
        elif kind == "function":
            yield f"fn {here}{signature(inner)}"
        elif kind in ("constant", "static"):
            yield f"{kind} {here}: {type_text(inner['type'])}"
        elif kind == "type_alias":
            yield f"type {here} = {type_text(inner['type'])}"
        else:
            yield f"{kind} {here}"

    def _target(self, document: dict, use: dict):
        """What a `pub use` names: the document that has it, and the item."""
        item = document["index"].get(str(use["id"]))
        if item is not None:
            return document, item
        path = document["paths"].get(str(use["id"]))
        other = path and self.documents.get(path["path"][0])
        if not other:
            return None
        for number, known in other["paths"].items():
            if known["path"] == path["path"] and known["kind"] == path["kind"] and number in other["index"]:
                return other, other["index"][number]
        return None

    def _type(self, document: dict, item: dict, kind: str, inner: dict, here: str) -> Iterator[str]:
        marks = "".join(f" #[{mark}]" for mark in _marks(item))
        index = document["index"]
        yield f"{kind} {here}{generics(inner['generics'])}{marks}"
        if kind == "struct":
            fields = next(iter(inner["kind"].values())) if isinstance(inner["kind"], dict) else []
            numbers = fields["fields"] if isinstance(fields, dict) else [field for field in fields if field is not None]
            for field in (index[str(number)] for number in numbers if str(number) in index):
                if field["visibility"] == "public":
                    yield f"field {here}::{field['name']}: {type_text(field['inner']['struct_field'])}"
        elif kind == "enum":
            for variant in (index[str(number)] for number in inner["variants"]):
                yield f"variant {here}::{variant['name']}{_variant(index, variant)}"
        else:
            for member in (index[str(number)] for number in inner["items"]):
                if "function" in member["inner"]:
                    yield f"fn {here}::{member['name']}{signature(member['inner']['function'])}"
                else:
                    yield f"{next(iter(member['inner']))} {here}::{member['name']}"
        for block in (index[str(number)]["inner"]["impl"] for number in inner.get("impls", []) if str(number) in index):
            yield from self._impl(index, block, here)

    def _impl(self, index: dict, block: dict, here: str) -> Iterator[str]:
        if block["trait"] is not None:
            # Automatic and blanket implementations follow from the rest.
            own = type_text(block["for"]).split("<")[0].lstrip("&") == here.split("::")[-1]
            if own and not block["is_synthetic"] and block["blanket_impl"] is None and not block["trait"]["path"].startswith("Structural"):
                yield f"impl {here}: {path_text(block['trait'])}"
            return
        for member in (index[str(number)] for number in block["items"] if str(number) in index):
            if member["visibility"] == "public" and not _hidden(member):
                (kind, inner), = member["inner"].items()
                text = signature(inner) if kind == "function" else f": {type_text(inner['type'])}"
                yield f"{'fn' if kind == 'function' else 'const'} {here}::{member['name']}{text}"


def _marks(item: dict) -> list:
    texts = [attribute if isinstance(attribute, str) else next(iter(attribute)) for attribute in item["attrs"]]
    return [name for name in ("non_exhaustive", "must_use") if any(name in text for text in texts)]


def _hidden(item: dict) -> bool:
    return any("hidden" in str(attribute) for attribute in item["attrs"])


def _variant(index: dict, variant: dict) -> str:
    kind = variant["inner"]["variant"]["kind"]
    if isinstance(kind, str):
        return ""
    if "tuple" in kind:
        return "(" + ", ".join(type_text(index[str(n)]["inner"]["struct_field"]) for n in kind["tuple"] if n is not None) + ")"
    fields = (index[str(number)] for number in kind["struct"]["fields"])
    return " { " + ", ".join(f"{field['name']}: {type_text(field['inner']['struct_field'])}" for field in fields) + " }"


def signature(function: dict) -> str:
    """The generics, arguments and result of a function."""
    words = "".join(f" {word}" for word, key in (("async", "is_async"), ("const", "is_const"), ("unsafe", "is_unsafe")) if function["header"][key])
    inputs = ", ".join(_argument(name, kind) for name, kind in function["sig"]["inputs"])
    output = f" -> {type_text(function['sig']['output'])}" if function["sig"]["output"] else ""
    return f"{generics(function['generics'])}({inputs}){output}" + (f" [{words.strip()}]" if words else "")


def _argument(name: str, kind: dict) -> str:
    if name != "self":
        return f"{name}: {type_text(kind)}"
    text = type_text(kind)
    return {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}.get(text, f"self: {text}")


def generics(found: dict) -> str:
    """Parameters, without those that an `impl Trait` argument stands for."""
    names = []
    for parameter in found["params"]:
        kind = parameter["kind"]
        if "type" in kind:
            if kind["type"].get("is_synthetic"):
                continue
            limits = bounds(kind["type"]["bounds"])
            names.append(parameter["name"] + (f": {limits}" if limits else ""))
        else:
            names.append(parameter["name"])
    text = f"<{', '.join(names)}>" if names else ""
    where = [f"{type_text(one['bound_predicate']['type'])}: {bounds(one['bound_predicate']['bounds'])}"
             for one in found["where_predicates"] if "bound_predicate" in one]
    return text + (f" where {', '.join(where)} " if where else "")


def bounds(found: list) -> str:
    """Bounds with `+` between them."""
    texts = []
    for bound in found:
        if "trait_bound" in bound:
            sign = "?" if bound["trait_bound"]["modifier"] == "maybe" else ""
            texts.append(sign + path_text(bound["trait_bound"]["trait"]))
        elif "outlives" in bound:
            texts.append(bound["outlives"])
    return " + ".join(texts)


def path_text(path: dict) -> str:
    """The last name of a path, with its arguments."""
    name = path["path"].split("::")[-1]
    arguments = path.get("args")
    if not arguments:
        return name
    if "parenthesized" in arguments:
        inner = arguments["parenthesized"]
        output = f" -> {type_text(inner['output'])}" if inner["output"] else ""
        return f"{name}({', '.join(type_text(kind) for kind in inner['inputs'])}){output}"
    angle = arguments["angle_bracketed"]
    words = [_generic_argument(argument) for argument in angle["args"]]
    for constraint in angle["constraints"]:
        binding = constraint["binding"]
        if "equality" in binding:
            words.append(f"{constraint['name']} = {_term(binding['equality'])}")
        else:
            words.append(f"{constraint['name']}: {bounds(binding['constraint'])}")
    return f"{name}<{', '.join(words)}>" if words else name


def _term(term: dict) -> str:
    return type_text(term["type"]) if "type" in term else term["constant"]["expr"]


def _generic_argument(argument) -> str:
    if isinstance(argument, str):
        return "_"
    if "lifetime" in argument:
        return argument["lifetime"]
    return type_text(argument["type"]) if "type" in argument else argument["const"]["expr"]


def type_text(found: dict) -> str:
    """A type as Rust writes it, with the last names of its paths."""
    (kind, inner), = found.items()
    if kind == "resolved_path":
        return path_text(inner)
    if kind in ("primitive", "generic"):
        return inner
    if kind == "tuple":
        return f"({', '.join(type_text(part) for part in inner)})"
    if kind == "slice":
        return f"[{type_text(inner)}]"
    if kind == "array":
        return f"[{type_text(inner['type'])}; {inner['len']}]"
    if kind == "borrowed_ref":
        lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
        return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{type_text(inner['type'])}"
    if kind == "impl_trait":
        return f"impl {bounds(inner)}"
    if kind == "dyn_trait":
        traits = [path_text(one["trait"]) for one in inner["traits"]]
        return "dyn " + " + ".join(traits + ([inner["lifetime"]] if inner["lifetime"] else []))
    if kind == "qualified_path":
        return f"<{type_text(inner['self_type'])} as {path_text(inner['trait'])}>::{inner['name']}"
    return kind
