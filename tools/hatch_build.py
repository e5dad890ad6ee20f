"""The build step of the wheel: the kernel and the page are built, then carried along.

An editable install is left alone: there `make` builds them, and only when something changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuiltHook(BuildHookInterface[Any]):
    """Runs `python -m attention_by_hand.build all` from the sources and adds what it made to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless the install is editable; `version` is hatchling's word for the kind of wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        source = str(root / "src")
        path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
        subprocess.run(
            [sys.executable, "-m", "attention_by_hand.build", "all"],
            cwd=root,
            env=os.environ | {"PYTHONPATH": path},
            check=True,
        )
        # Git ignores the folder, so hatchling would leave it out.
        build_data["artifacts"].append("/src/attention_by_hand/_built/")
