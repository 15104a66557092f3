"""Pictures and pages without text, read with OCR where it is set."""
