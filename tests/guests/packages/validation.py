"""Classes and schemas: attrs, jsonschema, referencing, rpds."""
import attr
import attrs
import jsonschema
import rpds
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker, ValidationError, validate
from referencing import Registry, Resource


@attrs.define(order=True)
class Item:
    name: str = attrs.field(validator=attrs.validators.instance_of(str))
    price: float = attrs.field(default=1.0, converter=float, validator=attrs.validators.ge(0))
    tags: list = attrs.field(factory=list, repr=False)


@attrs.frozen
class Point:
    x: int
    y: int = attrs.field(kw_only=True, alias="why")


print(Item("tea", "2"), Item("a") < Item("b"), attrs.asdict(Item("a")), attrs.evolve(Item("a"), price=3), attrs.fields(Item).price.default)
for wrong in (lambda: Item(1), lambda: Item("a", -1), lambda: setattr(Point(1, why=2), "x", 3)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, str(error).partition("(")[0])
print(Point(1, why=2), {Point(1, why=2)} == {Point(1, why=2)}, attr.s is not None, attrs.make_class("C", ["x"])(1))

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "age": {"type": "integer", "minimum": 0},
        "mail": {"format": "email"},
        "tree": {"$ref": "#/$defs/node"},
    },
    "required": ["name"],
    "additionalProperties": False,
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "additionalProperties": False}},
}
validate({"name": "ab", "age": 1, "tree": {"next": {"next": {}}}}, SCHEMA)
checker = Draft202012Validator(SCHEMA, format_checker=FormatChecker())
for wrong in ({}, {"name": "a", "age": -1, "mail": "x", "more": 1}, {"name": "ab", "tree": {"next": {"n": 1}}}, 3):
    print([(error.json_path, error.validator, error.message) for error in sorted(checker.iter_errors(wrong), key=lambda e: (e.json_path, e.message))])
try:
    validate([1, "x"], {"type": "array", "items": {"type": "number"}})
except ValidationError as error:
    print(error)
try:
    Draft7Validator.check_schema({"type": "nothing"})
except jsonschema.SchemaError as error:
    print(error.message)
registry = Registry().with_resource("urn:item", Resource.from_contents({"$schema": SCHEMA["$schema"], "type": "integer"}))
print(Draft202012Validator({"items": {"$ref": "urn:item"}}, registry=registry).is_valid([1, 2]),
      Draft202012Validator({"items": {"$ref": "urn:item"}}, registry=registry).is_valid([1, "2"]))
try:
    Draft202012Validator({"$ref": "urn:none"}).validate(1)
except Exception as error:
    print(type(error).__name__, error)
print(jsonschema.exceptions.best_match(checker.iter_errors({"name": 1})).message, jsonschema.validators.validator_for({}).__name__)

one = rpds.HashTrieMap({"a": 1})
two = one.insert("b", 2)
print(one, dict(two), two.remove("a"), two.discard("z") == two, one.update({"c": 3}) == {"a": 1, "c": 3}, "a" in one, hash(one) == hash(rpds.HashTrieMap(a=1)))
try:
    one.remove("z")
except KeyError as error:
    print("KeyError", error)
print(rpds.HashTrieSet([1]).insert(2) == {1, 2}, rpds.HashTrieSet([1, 2]) & {2}, len(rpds.HashTrieSet().update([1], [2])))
many = rpds.List([1, 2, 3])
print(many.push_front(0), many.rest, many.first, list(many.drop_first()), many == rpds.List(1, 2, 3), len(many), rpds.List([]) == rpds.List())
print(rpds.Queue([1]).enqueue(2).dequeue().peek, rpds.Queue().is_empty, rpds.HashTrieMap.convert(one) is one, rpds.HashTrieMap.fromkeys("ab", 0))
