"""The page: one HTML file that shows a classifier to the people who have to trust it."""

from sugeno.report._page import report_html, write_report

__all__ = ["report_html", "write_report"]
