"""Run a command as a person does, and look at what it says."""

from click.testing import CliRunner

from sugeno.cli.app import app


def run(*arguments, stdin=None):
    """The result of a command, whatever it is."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def fine(*arguments, stdin=None):
    """The result of a command that does what it is asked for."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result


def refused(*arguments, stdin=None):
    """The one line that a command ends with."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.stderr
    return result.stderr
