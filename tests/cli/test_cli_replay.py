"""``hearts-sim replay``: the same cards again, from a run, from a seed or from text, and no more than a seat may see."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import polars as pl
import pytest
from calling import Call, Compare

from hearts_sim.cli.replay import split_entrants
from hearts_sim.game.transcript import check
from hearts_sim.game.transcript_text import parse_transcript
from hearts_sim.tournament import store

RUN = ("run", "cpu_levels", "--set", "design.blocks=6", "--out", "a", "-q", "--jobs", "1")
TABLE = ("--entrants", "greedy,ducker,low,random", "--seed", "1")
FAULTY = """
from hearts_sim import Strategy, cards


class Faulty(Strategy):
    name = "faulty"

    @staticmethod
    def choose_pass(table, me):
        if table.deal_number == FAULTY_PASS:
            return cards.NONE
        chosen = cards.NONE
        for _ in range(3):
            chosen |= cards.lowest(me.legal ^ chosen)
        return chosen

    @staticmethod
    def choose_card(table, me):
        if table.deal_number == FAULTY_DEAL and table.trick_number > 4 and table.trick_length == 2:
            return me.legal
        return cards.lowest(me.legal)
"""


def write_faulty(in_deal: int = 0, while_passing: int = 0) -> None:
    text = FAULTY.replace("FAULTY_DEAL", str(in_deal)).replace("FAULTY_PASS", str(while_passing))
    Path("faulty.py").write_text(text, encoding="utf-8")


def unfold(text: str) -> str:
    """Return a message as it was before its lines were folded."""
    return re.sub(r"\n    (?! )", " ", text)


def fail_a_run(call: Call) -> tuple[str, list[str]]:
    """Play a run whose first entrant breaks the contract in a deal 2; return what is said and the replay line."""
    write_faulty(in_deal=2)
    failed = call(*RUN, "--set", "entrants.0.strategy=faulty.py")
    assert failed.code == 3
    found = re.search(r"hearts-sim (replay a .*) --deal 2\n", failed.err)
    assert found is not None
    return failed.err, found[1].split()


# --- help and wrong requests


def test_help_is_as_stored(call: Call, same_as_stored: Compare) -> None:
    done = call("replay", "-h")
    assert (done.code, done.err) == (0, "")
    same_as_stored("help_replay", done.out)


def test_wrong_requests_have_clear_messages(call: Call, same_as_stored: Compare) -> None:
    call(*RUN)
    Path("note.txt").write_text("2C is led\n", encoding="utf-8")
    asked: tuple[list[str], ...] = (
        [],
        ["a"],
        ["a", "--block", "6"],
        ["a", "--block", "0", "--table", "1"],
        ["a", "--block", "0", "--seating", "4"],
        ["a", "--block", "0", "--deal", "99"],
        ["a", "--block", "0", "--game", "3"],
        ["a", "--block", "0", "--seat", "4"],
        ["a", "--block", "0", "--transcript", "--json"],
        ["a", *TABLE],
        ["nope"],
        ["note.text"],
        ["note.txt"],
        ["note.txt", "--block", "1"],
        ["--entrants", "greedy,ducker,low,random"],
        ["--entrants", "greedy,ducker", "--seed", "1"],
        ["--entrants", "greedy,ducker,low,ramdom", "--seed", "1"],
        [*TABLE, "--rules", "omnibos"],
        [*TABLE, "--block", "1"],
        [*TABLE, "--deal", "0"],
    )
    wrong = [call("replay", *words) for words in asked]
    assert [done.code for done in wrong] == [2] * len(asked)
    assert [done.out for done in wrong] == [""] * len(asked)
    # how many deals the game has is not this test's matter
    said = re.sub(r"deals 1 to \d+", "deals 1 to N", "\n".join(done.err for done in wrong))
    same_as_stored("errors_replay", said)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b,c", ["a", "b", "c"]),
        ("greedy:blunder=0.1,take_high=0,low", ["greedy:blunder=0.1,take_high=0", "low"]),
        ("low, bots/my.py:Bot:depth=2,random", ["low", "bots/my.py:Bot:depth=2", "random"]),
    ],
)
def test_commas_inside_parameters_do_not_split_entrants(text: str, names: list[str]) -> None:
    assert split_entrants(text) == names


# --- from a run


def test_a_deal_of_a_run_is_the_one_that_was_stored(call: Call) -> None:
    call(*RUN)
    stored = pl.read_parquet(store.part_path(Path("a"), 0, "deals")).filter(block=4, seating=2)
    names = [entrant["name"] for entrant in store.read_manifest(Path("a"))["entrants"]]
    for row in stored.rows(named=True):
        done = call("replay", "a", "--block", "4", "--seating", "2", "--deal", str(row["deal"]), "--json")
        assert done.code == 0
        shown = json.loads(done.out)
        deal = shown["deal"]
        assert (shown["schema"], shown["command"], shown["game"], shown["seating"]) == (1, "replay", 4, 2)
        assert deal["points"] == [row[f"points_{seat}"] for seat in range(4)]
        assert deal["scores"] == [row[f"score_{seat}"] for seat in range(4)]
        assert deal["names"] == [names[row[f"entrant_{seat}"]] for seat in range(4)]
        assert len(deal["tricks"]) == 13


def test_single_deals_of_a_run_are_found_by_their_block(call: Call) -> None:
    call(*RUN, "--set", "design.unit='deal'")
    for block, word in enumerate(("left", "right", "across", "hold", "left")):
        done = call("replay", "a", "--block", str(block))
        assert done.code == 0
        assert f"\nDeal {block % 4 + 1}, pass {word}" in done.out
        assert done.err == ""


def test_a_run_that_kept_no_deals_is_replayed_all_the_same(call: Call) -> None:
    call(*RUN, "--record", "none")
    assert call("replay", "a", "--block", "5").code == 0


def test_stored_deals_that_differ_are_damage(call: Call) -> None:
    call(*RUN)
    path = store.part_path(Path("a"), 0, "deals")
    changed = pl.read_parquet(path).with_columns(points_1=pl.col("points_1") + (pl.col("deal") == 2))
    changed.write_parquet(path)
    done = call("replay", "a", "--block", "1")
    assert done.code == 4
    assert "Error: deal 2 is not what a stored of it" in done.err
    assert "Deal 1, pass left" in done.out


def test_a_strategy_edited_since_is_said(call: Call) -> None:
    write_faulty()
    call(*RUN, "--set", "entrants.0.strategy=faulty.py")
    with Path("faulty.py").open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    done = call("replay", "a", "--block", "1")
    assert done.code == 0
    assert "note: faulty.py was edited since 'human-stand-in' played the run" in done.err


# --- where a strategy breaks the contract


def test_a_fault_comes_again_where_it_came_with_the_deal_up_to_there(call: Call) -> None:
    said, words = fail_a_run(call)
    done = call(*words, "--deal", "2")
    assert done.code == 3
    assert said.startswith(done.err)
    assert call(*words).out == done.out
    assert "Deal 2, pass right" in done.out
    assert re.search(r"The deal breaks off here: \d human-stand-in was to play to trick \d+\.\n", done.out)
    assert "points  " not in done.out
    last = done.out.split("▸ leads")[0].splitlines()[-1]
    assert len(re.findall("[♣♦♠♥]", last)) == 2


def test_the_deals_before_a_fault_are_shown_without_it(call: Call) -> None:
    _, words = fail_a_run(call)
    first = call(*words, "--deal", "1")
    assert first.code == 0
    assert "The game goes on." in first.out
    assert "note: the game breaks off in deal 2; show that with --deal 2" in first.err
    after = call(*words, "--deal", "3")
    assert after.code == 2
    assert "this game has deals 1 to 2, in which a strategy breaks the contract" in unfold(after.err)


def test_a_fault_tells_another_seat_nothing_of_the_hand(call: Call) -> None:
    _, words = fail_a_run(call)
    whole = call(*words)
    found = re.search(r"seat (\d), game .*\n  hand    (.*)\n", whole.err)
    assert found is not None
    faulty, hand = int(found[1]), found[2].split()
    assert call(*words, "--seat", str(faulty)).err == whole.err
    seen = call(*words, "--seat", str((faulty + 1) % 4))
    told = json.loads(call(*words, "--seat", str((faulty + 1) % 4), "--json").out)["fault"]
    assert seen.code == 3
    for text in (seen.err, told):
        assert f"the strategy at seat {faulty} broke its contract: choose_card, deal 2, trick" in unfold(text)
        assert not set(hand) & set(text.split())


def test_a_fault_while_passing_shows_who_was_to_pass(call: Call) -> None:
    write_faulty(while_passing=1)
    words = ("--entrants", "low,random,faulty.py,low", "--seed", "3")
    done = call("replay", *words)
    assert done.code == 3
    assert "answered no card; 3 of the legal cards are wanted" in unfold(done.err)
    assert done.out.count("→") == 2
    assert "hands 0" not in done.out
    assert done.out.endswith("The deal breaks off here: 2 faulty.py was to pass.\n")
    shown = json.loads(call("replay", *words, "--json").out)
    assert shown["deal"]["game"] == "broke_off"
    assert shown["deal"]["opener"] is None
    assert shown["deal"]["points"] is None
    assert "answered no card" in shown["fault"]
    assert [gift["giver"] for gift in shown["deal"]["passed"]] == [0, 1]


# --- from a seed


def test_the_same_seed_shows_the_same_deal_and_another_game_another(call: Call) -> None:
    first = call("replay", *TABLE)
    assert first.code == 0
    assert first.out.startswith("game 0 of seed 1, standard rules\n\nDeal 1, pass left")
    assert call("replay", *TABLE, "--game", "0", "--deal", "1").out == first.out
    assert call("replay", *TABLE, "--game", "1").out != first.out
    assert max(map(len, first.out.splitlines())) <= 80


def test_rules_may_be_named(call: Call) -> None:
    done = call("replay", "--entrants", "low,low,low", "--seed", "9", "--rules", "three", "--json")
    assert done.code == 0
    assert json.loads(done.out)["rules"]["preset"] == "three_handed"


def test_a_seat_sees_its_own_hand_and_the_table_only(call: Call) -> None:
    whole = json.loads(call("replay", *TABLE, "--json").out)["deal"]
    seen = json.loads(call("replay", *TABLE, "--json", "--seat", "2").out)["deal"]
    assert seen["dealt"] == [None, None, whole["dealt"][2], None]
    assert [gift["cards"] is None for gift in seen["passed"]] == [True, False, False, True]
    assert seen["tricks"] == whole["tricks"]
    assert seen["points"] == whole["points"]
    assert seen["kitty"] is None
    text = call("replay", *TABLE, "--seat", "2").out
    first_line = next(line for line in text.splitlines() if "♣" in line)
    assert first_line.split() == ["·", "·", "♣", "KQJ", "·"]


def test_a_kitty_is_seen_by_who_took_it(call: Call) -> None:
    words = ("replay", "--entrants", "low,low,low", "--seed", "9", "--rules", "three_handed_kitty", "--json")
    whole = json.loads(call(*words).out)["deal"]
    taker = whole["tricks"][0]["winner"]
    assert len(whole["kitty"]) == 1
    for seat in range(3):
        seen = json.loads(call(*words, "--seat", str(seat)).out)["deal"]
        assert seen["kitty"] == (whole["kitty"] if seat == taker else None)


# --- as text and back


def test_a_transcript_reads_back_and_shows_the_same_deal(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    call(*RUN)
    written = call("replay", "a", "--block", "2", "--transcript")
    assert written.code == 0
    transcript = parse_transcript(written.out)
    assert check(transcript) is None
    assert len(transcript.deals) > 3
    Path("game.txt").write_text(written.out, encoding="utf-8")
    for number in ("1", "3"):
        ours = call("replay", "a", "--block", "2", "--deal", number).out.partition("\n")[2]
        assert call("replay", "game.txt", "--deal", number).out.partition("\n")[2] == ours
        monkeypatch.setattr("sys.stdin", io.StringIO(written.out))
        assert call("replay", "-", "--deal", number).out.partition("\n")[2] == ours


def test_one_deal_as_text_keeps_the_scores_before_it(call: Call) -> None:
    written = call("replay", *TABLE, "--deal", "4", "--transcript").out
    transcript = parse_transcript(written)
    assert [deal.deal for deal in transcript.deals] == [4]
    assert check(transcript) is None
    Path("deal.txt").write_text(written, encoding="utf-8")
    shown = call("replay", "deal.txt")
    assert shown.code == 0
    assert shown.out.partition("\n")[2] == call("replay", *TABLE, "--deal", "4").out.partition("\n")[2]


def test_a_transcript_that_breaks_its_rules_is_shown_and_refused(call: Call) -> None:
    written = call("replay", *TABLE, "--transcript").out
    false = re.sub(r"(?m)^points: .*$", "points: 0 0 0 26", written, count=1)
    Path("false.txt").write_text(false, encoding="utf-8")
    done = call("replay", "false.txt")
    assert done.code == 4
    assert "false.txt breaks its rules: deal 1: points 0 0 0 26 is written, but the cards give" in unfold(
        done.err
    )
    assert "Deal 1, pass left" in done.out
