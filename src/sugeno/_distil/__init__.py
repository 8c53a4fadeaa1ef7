"""From soft verdicts to a handful of monotone rules."""
