"""Refuses to build a package without its jar: it would install without a word and fail at its first call."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JarHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        if version == "editable":
            return  # made in place: the jar may come later
        jars = Path(self.root, "src", "jellybridge", "jars")
        needed = [jars / f"jellybridge-bundle-{self.metadata.version}.jar", jars / "jellybridge-start.jar", jars / "slf4j"]
        for path in needed:
            if not path.exists():
                raise FileNotFoundError(f"{path} is missing: run `make build` first, which makes it, then build the package")
