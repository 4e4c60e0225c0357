"""Text from text: Jinja2, MarkupSafe, Markdown, markdown-it."""
import markdown
from jinja2 import DictLoader, Environment, StrictUndefined, Template, UndefinedError, select_autoescape
from jinja2.sandbox import SandboxedEnvironment, SecurityError
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

print(Template("Hello {{ name|title }}! {% for x in xs if x > 1 %}{{ loop.index }}:{{ x }} {% endfor %}").render(name="a b", xs=[1, 2, 3]))
pages = {
    "base.html": "<title>{% block title %}none{% endblock %}</title>{% block body %}{% endblock %}",
    "page.html": "{% extends 'base.html' %}{% from 'macros.html' import item %}{% block title %}{{ super() }}+{{ t }}{% endblock %}"
                 "{% block body %}{{ item(text) }}{% endblock %}",
    "macros.html": "{% macro item(x) -%} <li>{{ x }}</li> {%- endmacro %}",
}
environment = Environment(loader=DictLoader(pages), autoescape=select_autoescape(), undefined=StrictUndefined)
environment.filters["shout"] = lambda text: text.upper() + "!"
print(environment.get_template("page.html").render(t="x", text="<b>&"))
print(environment.from_string("{{ 'a'|shout }} {{ [3,1,2]|sort|join('-') }} {{ 1.234|round(1) }} {% set n = namespace(v=1) %}{{ n.v }}").render())
try:
    environment.from_string("\n{{ missing.x }}").render()
except UndefinedError as error:
    print(error)
try:
    environment.from_string("{% if %}")
except Exception as error:
    print(type(error).__name__, error)
try:
    SandboxedEnvironment().from_string("{{ ''.__class__.__mro__ }}").render()
except SecurityError as error:
    print(error)
print(escape("<a href='x'>&"), Markup("<b>%s</b>") % "<i>", Markup("<p>a &amp; b</p>").striptags(), type(escape("x")).__name__)
TEXT = "# Title\n\nSome *text* with `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint(1)\n```\n\n1. x\n2. y\n\nword[^1]\n\n[^1]: note\n"
print(markdown.markdown(TEXT, extensions=["tables", "fenced_code", "footnotes", "toc"]))
print(markdown.markdown("```python\nprint(1)\n```", extensions=["codehilite", "extra"]))
converter = markdown.Markdown(extensions=["meta", "markdown.extensions.toc"])
print(converter.convert("author: me\n\n# A b"), converter.Meta, converter.toc_tokens[0]["id"])
parser = MarkdownIt("commonmark").enable("table")
print(parser.render(TEXT), [token.type for token in parser.parse("a **b**")])
