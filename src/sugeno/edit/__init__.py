"""Editing: rules added, removed and changed, always as a new model with a report."""

from sugeno.edit._assembly import EvaluationRows, assembled, assembled_card
from sugeno.edit.card_edit import CardEdit
from sugeno.edit.edit import Edit
from sugeno.edit.report import Among, EditReport

__all__ = [
    "Among",
    "CardEdit",
    "Edit",
    "EditReport",
    "EvaluationRows",
    "assembled",
    "assembled_card",
]
