"""The paper's experiments: its tables and figures, beside the published numbers."""

from sugeno.experiments.reproduction import TARGETS, Reproduction, reproduce

__all__ = ["TARGETS", "Reproduction", "reproduce"]
