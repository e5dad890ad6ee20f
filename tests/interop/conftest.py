"""What the tests with other libraries need."""

from __future__ import annotations

import os

import pytest

# Everything these tests open is on this disk: nothing may be asked of a hub or reported to a service.
os.environ |= {"HF_HUB_OFFLINE": "1", "WANDB_MODE": "disabled", "HF_HUB_DISABLE_TELEMETRY": "1"}

if "OFFICE" not in os.environ:
    pytest.exit(
        "run these with `make interop`: it installs the libraries and finds LibreOffice", returncode=2
    )
