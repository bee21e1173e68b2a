"""The contracts of files and datasets, without Spark."""

from __future__ import annotations

from contract_applied import AppliedContract
from contract_dataset import DatasetContract
from contract_patch_files import PatchFileContract
from contract_places import PlacesContract, site  # noqa: F401


class TestPatchFiles(PatchFileContract):
    pass


class TestDataset(DatasetContract):
    pass


class TestPlaces(PlacesContract):
    pass


class TestApplied(AppliedContract):
    pass
