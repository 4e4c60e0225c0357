"""rustdoc's JSON of several crates as that of one: what a crate exports again from the others is then its own item."""

# The keys whose lists have items' numbers. A `tuple` of types has objects, and they stay what they are.
LISTS = {"fields", "implementations", "impls", "items", "tuple", "variants"}


def merged(documents: dict, crate: str) -> dict:
    """The document of a crate, with the items of the others in its index. Each document numbers items for itself, and knows those
    of other crates by their paths."""
    numbers, index, paths = {}, {}, {}
    for name, document in documents.items():

        def number(old: int, name=name, document=document) -> int:
            known = document["paths"].get(str(old))
            ours = known is not None and known["path"][0] in documents
            return numbers.setdefault((known["kind"], *known["path"]) if ours else (name, old), len(numbers))

        for old, known in document["paths"].items():
            paths[str(number(int(old)))] = known
        for old, item in document["index"].items():
            # A crate's own items are whole; of those of other crates, a document may have a part.
            new = str(number(int(old)))
            if item["crate_id"] == 0 or new not in index:
                index[new] = _renumbered(item, number)
    shown = {number: item for number, item in index.items() if not _private(item, index)}
    return {**documents[crate], "root": numbers["module", crate], "index": shown, "paths": paths}


def _renumbered(node, number):
    """A part of a document, with other numbers for items."""
    if isinstance(node, list):
        return [_renumbered(part, number) for part in node]
    if not isinstance(node, dict):
        return node
    return {key: _value(key, value, number) for key, value in node.items()}


def _value(key: str, value, number):
    if key in ("id", "parent") and isinstance(value, int):
        return number(value)
    if key == "links":
        return {text: number(old) for text, old in value.items()}
    if key in LISTS and isinstance(value, list):
        return [number(part) if isinstance(part, int) else _renumbered(part, number) for part in value]
    return _renumbered(value, number)


def _private(item: dict, index: dict) -> bool:
    """Is it a `pub use` of a private module? One that names a function names the module of the same name too, and exports the function."""
    use = item["inner"].get("use")
    target = use and not use["is_glob"] and index.get(str(use["id"]))
    return bool(target) and "module" in target["inner"] and target["visibility"] != "public"
