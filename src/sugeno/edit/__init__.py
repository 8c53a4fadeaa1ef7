"""Editing: rules added, removed and changed, always as a new model with a report."""

from sugeno.edit._assembly import Rows, assembled
from sugeno.edit.edit import Edit
from sugeno.edit.report import Among, EditReport

__all__ = ["Among", "Edit", "EditReport", "Rows", "assembled"]
