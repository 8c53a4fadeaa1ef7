"""The paper's experiments: its tables and figures, beside the published numbers."""

from sugeno.paper.experiments.reproduction import EXTRAS, TARGETS, Reproduction, reproduce

__all__ = ["EXTRAS", "TARGETS", "Reproduction", "reproduce"]
