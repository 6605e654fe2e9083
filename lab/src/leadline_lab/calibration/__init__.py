"""What a world is like, measured from its pages, beside what it should be like."""

from leadline_lab.calibration.report import Report, Row, measure, run_calibration
from leadline_lab.calibration.tables import as_markdown, as_text

__all__ = ["Report", "Row", "as_markdown", "as_text", "measure", "run_calibration"]
