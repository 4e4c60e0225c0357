"""Configuration: YAML in and out, TOML out."""
import io
import tomllib

import tomli_w
import yaml

TEXT = """\
defaults: &base
  image: debian
  ports: [80, 443]
web:
  <<: *base
  command: |
    line one
    line two
  when: 2024-02-29
  ratio: 1.5e3
  on: yes
  none: ~
---
second: [a, {b: c}]
"""
first, second = yaml.safe_load_all(TEXT)
print(first["web"], second)
print(yaml.safe_dump(first, sort_keys=False), end="")
print(yaml.safe_dump({"é": ["x", {"y": None}], "text": "two\nlines\n", "n": 1.0}, allow_unicode=True), end="")
print(yaml.dump((1, 2)), yaml.load(yaml.dump((1, 2)), Loader=yaml.UnsafeLoader))
try:
    yaml.safe_load("a: [1, 2\nb: }")
except yaml.YAMLError as error:
    print(type(error).__name__, error.problem_mark.line, error.problem)
try:
    yaml.safe_load("!!python/object/apply:os.system ['echo no']")
except yaml.constructor.ConstructorError as error:
    print(str(error).splitlines()[0])
print(yaml.__with_libyaml__)
print(yaml.load("a: 1", Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


class Point(yaml.YAMLObject):
    yaml_tag = "!point"
    yaml_loader = yaml.SafeLoader

    def __init__(self, x, y):
        self.x, self.y = x, y


loaded = yaml.safe_load("!point {x: 1, y: 2}")
print(type(loaded).__name__, loaded.x, loaded.y)

data = {"title": "wisp", "owner": {"name": "a", "tags": ["x", "y"]}, "rows": [{"a": 1}, {"a": 2}]}
text = tomli_w.dumps(data)
print(text, tomllib.loads(text) == data)
file = io.BytesIO()
tomli_w.dump({"k": 1.25}, file)
print(file.getvalue())
