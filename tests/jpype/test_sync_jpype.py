"""Following sources of patches, without Spark."""

from __future__ import annotations

from contract_sync import SyncContract


class TestSync(SyncContract):
    pass
