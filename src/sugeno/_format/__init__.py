"""Model files: a model as a text that any JSON reader understands, and back to the last bit."""

from sugeno._format.protocol import PROTOCOL
from sugeno._format.reader import read_model
from sugeno._format.writer import write_model

__all__ = ["PROTOCOL", "read_model", "write_model"]
