"""The pages are written in short sentences, and what they name is there."""

import importlib
import re
from inspect import cleandoc, getattr_static, isclass
from pathlib import Path

import click
import pytest

import sugeno
from sugeno.cli.app import app as commands

ROOT = Path(__file__).parents[1]
PACKAGE = Path(sugeno.__file__).parent  # not below src where the installed package is tested
LONGEST = 25  # words
#: What the site writes from the commands; the changelog is no page.
NOTES = {"commands.md"}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "reproduction" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
#: What a reader of a worked example writes.
TO_WRITE = {"src/sugeno/export/prolog.py"}
WRITTEN = [page for page in PAGES if page.name not in NOTES]

_FENCE = re.compile(r"^( *)(`{3,}|:{3,}).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TABLE_OR_HEADING = re.compile(r"^ *[|#].*$", re.MULTILINE)
_LIST_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) ", re.MULTILINE)
_END_OF_SENTENCE = re.compile(r"(?<=[.!?…])[\"”)]*\s+(?=[\"“(A-Z0-9½Σ]|code\b)")


def sentences(text):
    """The sentences of the prose of a page; an item of a list is a paragraph."""
    text = _LIST_ITEM.sub("\n\n", _TABLE_OR_HEADING.sub("", _COMMENT.sub("", _FENCE.sub("", text))))
    for paragraph in re.split(r"\n\s*\n", text):
        yield from _END_OF_SENTENCE.split(plain(" ".join(paragraph.split())))


def plain(text):
    """Without pictures and addresses; code counts as one word."""
    text = re.sub(r"!\[[^]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\{\w+\}`([^`<]*)(<[^>]*>)?`", r"\1", text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", text))
    return text.replace("*", "")


def n_words(sentence):
    return sum(1 for word in sentence.split() if re.search(r"\w", word))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two words! Really?", [1, 2, 1]),
        ("Levels of 2.5 are\none sentence, 3 – 4 too.", [9]),
        ("- an item\n- another item\n1. a third", [2, 2, 2]),
        ("| a table | of cells |\n# A heading\n\nProse.", [1]),
        ('See [the page](https://a.b/c d) of `a b c`. "Next" begins anew.', [5, 3]),
        ("Before\n\n```python\nx = 1  # a. b. c.\n```\n\nafter <!-- hidden words -->", [1, 1]),
        ("{doc}`All commands <commands>` are **there**. `code` begins one.", [4, 3]),
    ],
)
def test_sentences_are_counted_as_people_read_them(text, expected):
    assert [n_words(sentence) for sentence in sentences(text) if sentence] == expected


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_sentence_is_longer_than_one_can_read_at_once(page):
    found = sentences(page.read_text(encoding="utf-8"))
    assert not [sentence for sentence in found if n_words(sentence) > LONGEST]


@pytest.mark.parametrize("name", commands.commands)
def test_the_help_of_a_command_is_written_in_short_sentences(name):
    command = commands.commands[name]
    options = [option.help for option in command.params if isinstance(option, click.Option)]
    assert all(options), "each option says what it is"
    for text in (cleandoc(command.help), *options):
        prose = [block for block in text.split("\n\n") if not block.startswith("\b")]
        for sentence in sentences("\n\n".join(prose)):
            assert n_words(sentence) <= LONGEST, sentence


#: Names, types and titles of sections, which numpydoc has on lines of their own.
_NOT_PROSE = re.compile(
    r"^ *\**\w[\w, *]* : .*(\\\n.*)?$|^\w+(, \w+)*,?$|^[A-Z]\w+( \w+)?\n-+$"
    r"|^\w+ of shape .*$|^\w+ or \w+$",
    re.MULTILINE,
)


def documented(module):
    """(Name, docstring) of all that a module makes public, with methods and properties of ours."""
    for name in module.__all__:
        thing = getattr(module, name)
        yield name, thing.__doc__
        for part in dir(thing) if isclass(thing) else ():
            member = getattr_static(thing, part)
            member = getattr(member, "fget", None) or getattr(member, "__func__", member)
            ours = str(getattr(member, "__module__", "")).startswith("sugeno")
            if ours and not part.startswith("_"):
                yield f"{name}.{part}", member.__doc__


@pytest.mark.parametrize(
    "module",
    [
        "sugeno",
        "sugeno.datasets",
        "sugeno.edit",
        "sugeno.explain",
        "sugeno.export",
        "sugeno.paper.baselines",
        "sugeno.plot",
        "sugeno.report",
    ],
)
def test_docstrings_of_public_names_are_written_in_short_sentences(module):
    for name, text in documented(importlib.import_module(module)):
        prose = re.split(r"\n(?:Examples|References)\n---", cleandoc(text or ""))[0]
        prose = _NOT_PROSE.sub("\n\n", prose.replace("``", "`"))
        for sentence in sentences(re.sub(r":\w+:(?=`)", "", prose)):
            assert n_words(sentence) <= LONGEST, f"{name}: {sentence}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_and_modules_that_a_page_names_are_there(page):
    text = page.read_text(encoding="utf-8")
    files = (
        set(re.findall(r"`((?:tests|tools|examples|benchmarks|src)/[\w/.-]+)`", text)) - TO_WRITE
    )
    assert not [name for name in files if not place_of(name).exists()]
    rooms = "|".join(
        ("_counts", "_distil", "_ensemble", "_learning", "_scales", "_sets", "solvers")
    )
    for name in re.findall(rf"`((?:{rooms})[./][\w./]+)`", text):
        place = PACKAGE / name.removesuffix(".py").replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").exists(), name


def place_of(name):
    inner = name.removeprefix("src/sugeno/")
    return ROOT / name if inner == name else PACKAGE / inner
