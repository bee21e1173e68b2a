"""The contracts of files and datasets, in a Spark driver."""

from __future__ import annotations

import pytest
from contract_applied import AppliedContract
from contract_dataset import DatasetContract
from contract_patch_files import PatchFileContract
from contract_places import PlacesContract, site  # noqa: F401


@pytest.mark.usefixtures("spark")
class TestPatchFiles(PatchFileContract):
    pass


@pytest.mark.usefixtures("spark")
class TestDataset(DatasetContract):
    pass


@pytest.mark.usefixtures("spark")
class TestPlaces(PlacesContract):
    pass


@pytest.mark.usefixtures("spark")
class TestApplied(AppliedContract):
    pass
