"""Thin scikit-learn shells around `_learning`, and what they share; `sugeno` shows their names."""
