"""What libraries below Pincite are told before they load: to report nothing to anybody.

`import pincite` says it before anything else, so it holds in every process that runs Pincite (workers
too, which also inherit it), whatever loads the library first: an own model, OCR, sentence-transformers, or
the program around it.
"""

from __future__ import annotations

import os

SWITCHES = {
    # Writes a device id below the home folder, events beside it, and sends them. It looks at the variable
    # while it is loaded and never again; "0" and "" do not count as set.
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",  # also read by transformers and sentence-transformers
}


def silence() -> None:
    """Sets the switches for this process and for those it starts, whatever they were."""
    os.environ.update(SWITCHES)
