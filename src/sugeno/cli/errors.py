"""Errors as one line with a remedy and exit status 2; ``--debug`` shows the traceback instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any

import click

__all__ = ["Command", "Commands", "Refusal", "did_you_mean", "listed"]

#: What the package raises on purpose; anything else is a fault of the program.
_EXPECTED = (ValueError, TypeError, OSError, ImportError, OverflowError)


class Refusal(click.ClickException):
    """Something that the user can mend.

    Examples
    --------
    >>> from sugeno.cli.errors import Refusal
    >>> Refusal("There is no file 'data.csv'.").exit_code
    2
    """

    exit_code = 2


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the name that was probably meant, or list what there is.

    Examples
    --------
    >>> from sugeno.cli.errors import did_you_mean
    >>> did_you_mean("Acepted", ["id", "accepted"])
    "did you mean 'accepted'?"
    >>> did_you_mean("y", ["id", "accepted"])
    'there are: id, accepted.'
    """
    names = list(known)
    folded = {other.casefold().strip(): other for other in reversed(names)}
    close = get_close_matches(name.casefold().strip(), folded, n=1)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"there are: {shown}."


def listed(values: Iterable[str], known: Collection[str], what: str) -> list[str]:
    """Names that were given one by one or separated by commas; a name may hold a comma itself.

    Examples
    --------
    >>> from sugeno.cli.errors import listed
    >>> listed(["age,sex", "price, net"], ["age", "sex", "price, net"], "data.csv has no column")
    ['age', 'sex', 'price, net']
    """
    parts = [
        part.strip()
        for value in values
        for part in ([value] if value in known else value.split(","))
    ]
    for name in parts:
        if name not in known:
            raise Refusal(f"{what} {name!r}; {did_you_mean(name, known)}")
    return parts


def _remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Note in what all commands share that a traceback is wanted."""
    if value:
        context.meta["sugeno.debug"] = True


def _debug_option() -> click.Option:
    return click.Option(
        ["--debug"],
        is_flag=True,
        expose_value=False,
        callback=_remember,
        help="Show the traceback of an error.",
    )


class Command(click.Command):
    """A command that takes ``--debug`` as well.

    Examples
    --------
    >>> from sugeno.cli.errors import Command
    >>> [option.name for option in Command("fit").params]
    ['debug']
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(_debug_option())


class Commands(click.Group):
    """The group of all commands: it turns errors into one line.

    Examples
    --------
    >>> from sugeno.cli.errors import Command, Commands
    >>> Commands("sugeno", commands=[Command("fit")]).list_commands(None)
    ['fit']
    """

    command_class = Command

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(_debug_option())

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order in which they were added: that in which a new user needs them."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever goes wrong is told in one line."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            where = error.ctx.command_path if error.ctx else ctx.command_path
            message = error.format_message()
            end = "" if message.endswith((".", "?")) else "."
            raise Refusal(f"{message}{end} See '{where} --help'.") from error
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:
            if ctx.meta.get("sugeno.debug"):
                raise
            raise Refusal(_in_one_line(error)) from error


def _in_one_line(error: Exception) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"There is no file {str(error.filename)!r}; check the name and the folder."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.strerror}: {str(error.filename)!r}; check the name and the permissions."
    text = " ".join(str(error).split())
    if isinstance(error, _EXPECTED):
        return text
    end = "" if text.endswith((".", "?", "!")) else "."
    return f"{type(error).__name__}: {text}{end} This is a fault of sugeno; --debug shows where."
