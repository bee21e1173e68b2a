"""The JVM in the tests' own process is a short one, too; and of the contracts ``make test`` runs a parity set."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, List

import pytest
from jvm_environment import SHORT

from jellybridge import _doors
from jellybridge.cli import main

_doors.jvm_arguments[:] = SHORT

#: Files of the contracts that ``make test`` runs by py4j on every store.
CONTRACTS = {"test_jpype_contracts.py", "test_sync_jpype.py"}
#: What of them may differ between the two doors: types, errors, interrupts, calls back, large values.
PARITY = {
    # A dataset in this process, and one on a server
    "test_a_patch_is_applied_but_for_its_aborted_transaction[mem:]",
    "test_a_patch_is_applied_but_for_its_aborted_transaction[fuseki]",
    "test_queries_answer_in_plain_python[mem:]",
    "test_labels_of_blank_nodes_are_kept_both_ways[mem:]",
    "test_tdb2_keeps_its_quads",
    "test_a_captured_folder_is_one_chain_that_a_replica_follows[mem:]",
    "test_each_patch_is_applied_once[mem:]",
    "test_a_patch_log_is_followed_from_where_the_dataset_is[mem:]",
    # Rows and columns
    "test_rows_come_back_as_they_were_written",
    "test_many_rows_and_long_texts_go_in_several_batches",
    "test_any_rows_come_back_through_columns",
    "test_a_number_beyond_64_bits_is_refused_with_its_row",
    "test_what_is_written_may_be_open_or_a_url",
    # Errors
    "test_a_broken_file_changes_nothing[mem:]",
    "test_the_error_survives_pickling",
    "test_an_error_of_the_rows_leaves_no_file",
    "test_a_missing_file_is_pythons_own_error[mem:]",
    "test_a_query_that_is_none_is_an_error_of_one_line[mem:]",
    "test_a_server_that_is_not_there_is_a_clear_error",
    "test_what_is_no_text_is_refused_by_name",
    "test_a_closed_dataset_says_so[mem:]",
    "test_a_jar_of_another_version_is_refused",
    # Interrupts and calls back
    "test_apply_tells_how_far_it_is[mem:]",
    "test_progress_is_told[mem:]",
    "test_an_interrupted_sync_stops_and_goes_on_later[mem:]",
}
PARITY_OF_EVERY_CASE = {"test_an_interrupt_and_an_error_of_progress_roll_the_patch_back"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    seen = set()
    for item in items:
        if item.path.name in CONTRACTS:
            name = item.name.partition("[")[0]
            in_parity = item.name in PARITY or (name in PARITY_OF_EVERY_CASE and "[mem:" in item.name)
            seen.add(item.name)
            if not in_parity:
                item.add_marker(pytest.mark.full("doors"))
    if {item.path.name for item in items} > CONTRACTS and PARITY - seen:
        raise pytest.UsageError(f"not there any more, though in PARITY: {', '.join(sorted(PARITY - seen))}")


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Any:
    """Runs a command in this process, and gives its status and what it prints. A failure is an error unless ``check`` is False."""
    def command(*arguments: object, check: bool = True) -> SimpleNamespace:
        capfd.readouterr()
        status = main(list(map(str, arguments)))
        said = capfd.readouterr()
        assert status == 0 or not check, said.err
        return SimpleNamespace(returncode=status, stdout=said.out, stderr=said.err)

    return command
