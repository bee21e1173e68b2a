"""The contracts of files and datasets, without Spark."""

from __future__ import annotations

from contract_dataset import DatasetContract
from contract_patch_files import PatchFileContract


class TestPatchFiles(PatchFileContract):
    pass


class TestDataset(DatasetContract):
    pass
