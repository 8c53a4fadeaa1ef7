"""Exports: a fitted classifier in the language of the place where it will run.

All of them read the finished model and nothing else, and decide as `predict` does, to the last bit
of every level. Where a value is missing (NULL, NaN), which `predict` refuses, the criterion reaches
no level.
"""

from sugeno.export.dmn import to_dmn
from sugeno.export.expression import to_expression
from sugeno.export.onnx import register_onnx, to_onnx
from sugeno.export.pmml import to_pmml
from sugeno.export.python import to_python
from sugeno.export.sql import to_sql

__all__ = ["register_onnx", "to_dmn", "to_expression", "to_onnx", "to_pmml", "to_python", "to_sql"]
