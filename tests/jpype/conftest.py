"""The JVM in the tests' own process is a short one, too."""

from __future__ import annotations

from jvm_environment import SHORT

from jellybridge import _doors

_doors.jvm_arguments[:] = SHORT
