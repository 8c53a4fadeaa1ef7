"""Pages that are written from the package: the commands, and llms.txt for programs that read."""

from __future__ import annotations

import json
import re
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent
from typing import Any

import click
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from sugeno.cli.app import app as commands


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect what follows to Sphinx."""
    app.connect("builder-inited", write_commands)
    app.connect("autodoc-skip-member", skip_inherited)
    app.connect("autodoc-process-docstring", escape_names, priority=100)  # before numpydoc
    app.connect("doctree-read", remember_first_sentence)
    app.connect("build-finished", write_index_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def skip_inherited(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """What scikit-learn and Python document is not documented here again."""
    owner = getattr(member, "fget", None) or getattr(member, "func", None) or member
    module = getattr(owner, "__module__", None)
    foreign = module is not None and module.split(".")[0] != "sugeno"
    return True if foreign or name.endswith(("_request", "_routing")) else None


def escape_names(
    app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]
) -> None:
    """In the type of a parameter a name that ends in _ is no reference."""
    lines[:] = [line.replace("n_features_in_", r"n_features_in\_") for line in lines]


# --- The commands -----------------------------------------------------------------------------


def write_commands(app: Sphinx) -> None:
    """The reference of the command line, from the commands themselves."""
    parts = ["# Commands", INTRODUCTION]
    for name, command in commands.commands.items():
        context = click.Context(command, info_name=f"sugeno {name}")
        parts += [f"## sugeno {name}", *_of_one(command, context)]
    page = Path(app.srcdir) / "commands.md"
    text = "\n\n".join(parts) + "\n"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


INTRODUCTION = (
    "Every command with all of its options, written from the commands themselves. "
    "[Command line](command-line.md) shows them at work."
)


def _of_one(command: click.Command, context: click.Context) -> list[str]:
    usage = command.get_usage(context).removeprefix("Usage: ")
    described = [f"```text\n{usage}\n```", _prose(cleandoc(command.help or ""))]
    options = [entry for entry in map(_option, command.get_params(context)) if entry]
    return [*described, "| option | meaning |\n|---|---|\n" + "\n".join(options)]


def _option(parameter: click.Parameter) -> str | None:
    """A line of the table; what has no option stands in the usage."""
    record = parameter.get_help_record(click.Context(click.Command("sugeno")))
    if record is None or isinstance(parameter, click.Argument):
        return None
    return f"| `{_cell(record[0])}` | {_cell(_marked(record[1]))} |"


def _prose(text: str) -> str:
    """Paragraphs of the help as paragraphs, and those that click keeps as they are as blocks."""
    blocks = []
    for block in text.split("\n\n"):
        as_it_is = block.startswith("\b\n")
        body = dedent(block.removeprefix("\b\n"))
        blocks.append(f"```text\n{body}\n```" if as_it_is else _marked(body))
    return "\n\n".join(blocks)


def _marked(text: str) -> str:
    """Names of options, and what the help has between backticks, as code."""
    parts = re.split(r"`([^`]+)`|(?<!\w)(--?[a-z][\w-]*)", text)
    return "".join(
        f"`{part}`" if place % 3 else _escape(part)
        for place, part in enumerate(parts)
        if part is not None
    )


def _escape(text: str) -> str:
    for sign in "\\<>*_[]`":
        text = text.replace(sign, f"\\{sign}")
    return text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# --- For programs -----------------------------------------------------------------------------


def remember_first_sentence(app: Sphinx, doctree: nodes.document) -> None:
    """The first paragraph of a page, or of the docstring on it, describes it in llms.txt."""
    paragraphs = list(doctree.findall(nodes.paragraph))
    of_names = [one for one in paragraphs if isinstance(one.parent, addnodes.desc_content)]
    first = next(iter(of_names or paragraphs), None)
    text = " ".join(first.astext().split()) if first is not None else ""
    app.env.metadata[app.env.docname]["about"] = text.split(". ")[0].rstrip(".:") + "."


def write_index_files(app: Sphinx, error: Exception | None) -> None:
    """llms.txt (https://llmstxt.org) and the list of versions."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    lines = ["# sugeno", "", f"> {ABOUT}", "", "## Pages", ""]
    for name in sorted(app.env.found_docs):
        title = app.env.titles[name].astext()
        about = app.env.metadata[name].get("about", "")
        lines.append(f"- [{title}]({app.builder.get_target_uri(name)}): {about}")
    (out / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    versions = [{"version": app.config.version, "url": app.config.html_baseurl or "index.html"}]
    (out / "switcher.json").write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8")


ABOUT = "Monotone classifiers that people can read, learned with the Sugeno integral."
