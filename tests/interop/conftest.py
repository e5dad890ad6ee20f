"""What the tests with other libraries need."""

from __future__ import annotations

import os

# Everything these tests open is on this disk: nothing may be asked of a hub or reported to a service.
os.environ |= {"HF_HUB_OFFLINE": "1", "WANDB_MODE": "disabled", "HF_HUB_DISABLE_TELEMETRY": "1"}
