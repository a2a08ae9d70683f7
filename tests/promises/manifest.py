"""What Matinee promises, each with its limits, its source, and the tests that stand for it.

Every promise has a control: a build that is broken on purpose, in which the same look must find
the promise broken. A promise without tests is no promise; one that its control passes is void.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise.

    Attributes:
        sentence: what a person can rely on.
        limits: what is not promised.
        source: where it comes from: the design's part, a specification, an incident.
        counts: what one attempt is.
        tests: node ids, without parameters, that must find nothing.
        controls: node ids that find the promise broken in a build without its guard.
    """

    id: str
    sentence: str
    limits: str
    source: str
    counts: str
    tests: tuple[str, ...]
    controls: tuple[str, ...]


_BOUNDARIES = "tests/crash/test_boundaries.py::"
_CROWDS = "tests/crash/test_crowds.py::"
_LOCKED = "tests/crash/test_locked.py::"
_KERNEL = "tests/capabilities/kernel/"
_MATRIX = "tests/server/api/test_matrix.py::"
_CANARIES = "tests/server/test_canaries.py::"
_RESTORING = "tests/server/backups/test_restoring.py::"
_CLOCK = "tests/ledger/test_clock_jumps.py::"
_TORRENTS = "tests/hostile/test_torrent_files.py::"
_DOORS = "tests/hostile/test_inspection.py::"
_LATE = "tests/hostile/test_late_names.py::"
_TITLES = "tests/hostile/test_titles.py::"

PROMISES: tuple[Promise, ...] = (
    Promise(
        "E1",
        "Nothing is done twice after a sudden death, at whatever moment it comes.",
        "Exactly once for effects that nobody can look for; they wait for the owner.",
        "design: claims 1, 4 and 6",
        "a process killed between claim and settlement, then recovered",
        (f"{_BOUNDARIES}test_no_death_at_any_system_call_makes_an_act_happen_twice",),
        (f"{_BOUNDARIES}test_builds_that_do_not_claim_or_look_act_twice",),
    ),
    Promise(
        "E2",
        "A request that was on its way when the process died is not repeated blindly.",
        "That an effect without a name in the world is ever known; it waits for the owner.",
        "design: claims 3, 5 and 6",
        "a process killed while the other side still worked on its request",
        (f"{_BOUNDARIES}test_a_request_in_flight_at_death_is_not_repeated_blindly",),
        (f"{_BOUNDARIES}test_a_build_that_does_not_look_repeats_a_request_in_flight",),
    ),
    Promise(
        "E3",
        "The same request, however often and from wherever it is sent, is one act with one answer.",
        "That two requests of the owner are one; a new request may repeat what is finished.",
        "design: claims 2 and 3",
        "a crowd of callers with one key, or two clients with one torrent",
        (
            f"{_CROWDS}test_thirty_two_callers_in_four_processes_with_one_key_act_once",
            f"{_CROWDS}test_two_clients_with_different_plans_for_one_torrent_add_it_once",
            f"{_CROWDS}test_the_same_two_clients_in_two_processes_add_it_once",
            f"{_CROWDS}test_a_caller_whose_twin_was_faster_hears_what_the_twin_was_answered",
            (
                "tests/crash/test_crowd_at_the_door.py::"
                "test_thirty_two_requests_of_four_processes_with_one_key_submit_once"
            ),
        ),
        (f"{_CROWDS}test_the_same_crowd_acts_more_than_once_where_claims_are_broken",),
    ),
    Promise(
        "E4",
        "An approval works once, for exactly the plan that was shown, and only while it stands.",
        "That the person read the plan.",
        "design: authority, approvals",
        "one way around an approval",
        (f"{_KERNEL}test_one_yes_one_act.py::test_no_way_around_an_approval_leads_to_an_act",),
        (f"{_KERNEL}test_one_yes_one_act.py::test_a_build_that_compares_no_hash_and_no_time_acts",),
    ),
    Promise(
        "E5",
        "A grant never lets more happen on a day than its budget.",
        "A day is a day of UTC, by the clock of the machine.",
        "design: authority, grants",
        "a history of calls, failures, lost answers and clock jumps",
        (
            (
                f"{_KERNEL}test_budgets.py::"
                "test_no_history_of_calls_jumps_and_failures_overspends_a_day"
            ),
            (
                f"{_KERNEL}test_budgets.py::"
                "test_midnight_a_clock_set_back_and_lost_answers_overspend_nothing"
            ),
            f"{_KERNEL}test_budgets.py::test_two_processes_on_one_ledger_share_one_budget",
        ),
        (f"{_KERNEL}test_budgets.py::test_without_the_count_the_same_histories_overspend",),
    ),
    Promise(
        "E6",
        "After the owner turned a switch, nothing further is begun that it forbids.",
        "That an act which is under way is stopped; it is recorded as what it becomes.",
        "design: authority, switches",
        "a switch turned at one step of a chain of calls",
        (
            (
                f"{_KERNEL}test_switches.py::"
                "test_after_the_mark_nothing_is_claimed_whichever_step_it_falls_on"
            ),
            (
                f"{_KERNEL}test_switches.py::"
                "test_an_act_in_flight_is_recorded_and_the_next_is_not_begun"
            ),
            (
                f"{_KERNEL}test_switches.py::"
                "test_a_switch_that_is_turned_between_the_look_and_the_claim_counts"
            ),
        ),
        (f"{_KERNEL}test_switches.py::test_a_build_that_asks_no_switch_acts_after_the_mark",),
    ),
    Promise(
        "E7",
        "Placing a film that is cut off leaves the target absent or whole, and the source safe.",
        "Safety from whoever else writes in the same folders.",
        "design: organise",
        "a process killed while it placed a file",
        (f"{_BOUNDARIES}test_no_death_while_placing_leaves_half_a_file",),
        (f"{_BOUNDARIES}test_a_build_that_writes_in_place_leaves_half_files",),
    ),
    Promise(
        "S1",
        "A disk that is full or fails never damages the ledger nor makes it say what is not so.",
        "That anything can be done while it lasts.",
        "design: claims 1",
        "a write or sync that failed, once or from then on",
        (f"{_BOUNDARIES}test_a_disk_that_fails_never_makes_the_ledger_lie",),
        (f"{_BOUNDARIES}test_a_build_that_answers_before_it_has_written_lies",),
    ),
    Promise(
        "S2",
        "A locked ledger is waited for in bounded time, then nothing is done and that is said.",
        "That a lock of somebody else ends.",
        "design: claims 1",
        "a call while another process held the write lock",
        (
            f"{_LOCKED}test_a_lock_that_is_let_go_is_waited_for_and_reads_go_on_meanwhile",
            f"{_LOCKED}test_a_lock_for_ever_is_told_in_time_and_nothing_is_done",
        ),
        (f"{_LOCKED}test_a_build_without_claims_acts_behind_a_lock",),
    ),
    Promise(
        "S3",
        "A migration happens whole or not at all, once, with a copy of the file beside it.",
        "A way back but that copy.",
        "design: migrations",
        "a migration killed, refused by the disk, or begun by two at once",
        (f"{_BOUNDARIES}test_a_migration_that_comes_to_harm_is_whole_or_not_begun",),
        (f"{_BOUNDARIES}test_a_migration_in_many_transactions_is_left_in_the_middle",),
    ),
    Promise(
        "S6",
        "A backup made while the house works is the ledger of one moment, and can be put back.",
        "The library's files, and what was done after the backup.",
        "design: backup and restore",
        "a backup under load, restored and compared",
        (f"{_RESTORING}test_a_backup_under_load_is_one_moment_of_the_ledger_and_can_be_put_back",),
        (f"{_RESTORING}test_a_plain_copy_of_the_file_under_load_loses_what_was_committed",),
    ),
    Promise(
        "P1",
        "Whatever the names in a torrent, not a byte of it is written outside of its folder.",
        "Safety from who can put links into the download folder while a download runs.",
        "design: download; CWE-22, CWE-59; BEP 3, BEP 47, BEP 52",
        "a torrent with a hostile name that was looked into, planned or added",
        (
            f"{_TORRENTS}test_no_torrent_file_writes_outside_of_the_download_folder",
            f"{_TORRENTS}test_a_link_in_the_way_is_not_followed",
            f"{_DOORS}test_a_hostile_torrent_that_is_given_by_hand_is_refused_by_its_names",
            f"{_DOORS}test_a_hostile_torrent_behind_an_offer_is_not_planned",
        ),
        (f"{_TORRENTS}test_builds_that_take_names_or_links_as_they_are_write_outside",),
    ),
    Promise(
        "P2",
        "Names that arrive late, from a peer, are judged as those in a torrent file are.",
        "That another program's client judges anything; what it reports is judged before placing.",
        "design: download; CVE-2026-57079; BEP 9",
        "a magnet whose metadata was hostile, or a path that a client reported",
        (
            f"{_LATE}test_no_name_that_comes_from_a_peer_writes_outside_or_at_all",
            (f"{_LATE}test_names_that_only_look_hostile_are_fetched_to_safe_places_from_a_magnet"),
            f"{_LATE}test_a_link_in_the_way_of_late_names_is_not_followed",
            (f"{_LATE}test_before_placing_the_path_that_a_client_reports_is_judged_once_more"),
        ),
        (f"{_LATE}test_a_build_that_lets_late_names_pass_unseen_writes_outside",),
    ),
    Promise(
        "P3",
        "No title leads a file off its shelf, and a shelf that becomes a link is not followed.",
        "That a name is beautiful: what no file system holds is replaced or cut.",
        "design: organise; GHSA-fm6w-7xh5-xjqw; CWE-22, CWE-59, CWE-367",
        "a file that was placed, or refused, under a hostile title",
        (
            f"{_TITLES}test_no_title_places_anything_outside_of_the_library",
            f"{_TITLES}test_a_plan_that_names_such_a_path_itself_is_refused",
            (f"{_TITLES}test_a_shelf_swapped_for_a_link_between_plan_and_placing_leads_nowhere"),
        ),
        (f"{_TITLES}test_a_build_that_names_by_the_title_as_it_is_writes_outside",),
    ),
    Promise(
        "D3",
        "A key opens what its scopes say and nothing else, and never decides.",
        "Safety from whoever has the owner's passphrase or account.",
        "design: authority, keys",
        "a group of routes or capabilities knocked at by one kind of caller",
        (
            f"{_MATRIX}test_a_key_opens_what_its_scope_opens_and_never_what_is_the_owners",
            f"{_MATRIX}test_nobody_known_gets_in_anywhere",
            f"{_MATRIX}test_a_key_in_an_address_opens_nothing_and_is_refused_by_name",
            f"{_MATRIX}test_no_credential_is_stored_as_it_is",
            f"{_MATRIX}test_a_scope_opens_its_capabilities_and_the_others_do_not_exist_for_it",
            f"{_MATRIX}test_nobody_known_calls_any_capability",
        ),
        (f"{_MATRIX}test_a_build_that_asks_for_no_scope_opens_what_the_matrix_closes",),
    ),
    Promise(
        "D5",
        "A secret is nowhere but where it was put: in no log, event, prompt, error or bundle.",
        "Safety from whoever reads the process's memory, or has the key file and the ledger.",
        "design: secrets",
        "a text, row or file that was searched for every planted secret",
        (f"{_CANARIES}test_no_secret_is_where_it_was_not_put",),
        (f"{_CANARIES}test_a_secret_that_leaks_in_any_spelling_is_found",),
    ),
    Promise(
        "T1",
        "A clock that jumps costs no worker its place, and ends nothing early by more than that.",
        "That wall times in the records are right when the machine's clock is not.",
        "design: claims 6",
        "a jump of a second, an hour or a day, forward or back",
        (
            f"{_CLOCK}test_no_live_worker_loses_its_place_or_its_lease_when_the_clock_jumps",
            f"{_CLOCK}test_a_yes_ends_by_no_more_than_the_jump_too_early",
        ),
        (f"{_CLOCK}test_where_the_wall_clock_decides_a_jump_costs_a_live_worker_its_place",),
    ),
)
