"""A run: the same bytes however it is played, nothing lost when it stops, faults attributed and contained."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hearts_sim.bots import registry
from hearts_sim.bots.play import PlayFault, PlayStopped
from hearts_sim.errors import DamagedRun, StrategyFault, UsageError
from hearts_sim.tournament import runner, store
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.document import Document
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.experiment_file import build_experiment
from hearts_sim.tournament.runner import Interrupted, Progress, run_experiment

COMPILED = ("random", "low", "ducker", "greedy")
BLOCKS = 900
"""Makes five units of whole games, the last one smaller than the others."""
PLAIN = """
from hearts_sim import Strategy

class Careless(Strategy):
    name = "careless"
    compiled = False

    @staticmethod
    def choose_pass(table, me):
        cards, left = 0, int(me.legal)
        for _ in range(table.rules.pass_cards):
            cards |= left & -left
            left &= left - 1
        return cards

    @staticmethod
    def choose_card(table, me):
        if {condition}:
            {fault}
        return int(me.legal) & -int(me.legal)
"""
COMPILED_FAULT = """
from hearts_sim import Strategy, cards

class Careless(Strategy):
    name = "careless"

    @staticmethod
    def choose_pass(table, me):
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= cards.lowest(me.legal ^ chosen)
        return chosen

    @staticmethod
    def choose_card(table, me):
        if {condition}:
            {fault}
        return cards.lowest(me.legal)
"""


def make_experiment(*strategies: str, blocks: int = BLOCKS, unit: str = "game", seed: int = 5) -> Experiment:
    values = {
        "seed": seed,
        "entrants": [{"name": f"{Path(s).stem}-{i}", "strategy": s} for i, s in enumerate(strategies)],
        "design": {"blocks": blocks, "unit": unit},
    }
    return build_experiment(Document(values))


def hash_parts(folder: Path) -> dict[str, str]:
    """Return a hash of every part's bytes by file name."""
    parts = sorted((folder / store.UNITS).iterdir())
    return {part.name: hashlib.sha256(part.read_bytes()).hexdigest() for part in parts}


def run_python(code: str, *words: str, **environment: str) -> str:
    """Run code in a process of its own, which can import this file, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
    )
    return done.stdout


class StopAfter:
    """Press Ctrl-C when so many units are done."""

    def __init__(self, units: int) -> None:
        self.units = units

    def __call__(self, progress: Progress) -> None:
        if progress.units_done >= self.units:
            raise KeyboardInterrupt


# --- the same bytes


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one thread, never stopped, with everything kept."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    run_experiment(make_experiment(*COMPILED), folder, jobs=1, record="cards")
    return folder


@pytest.mark.parametrize("jobs", [2, 8])
def test_threads_change_no_byte_and_no_digest(jobs: int, whole: Path, tmp_path: Path) -> None:
    run_experiment(make_experiment(*COMPILED), tmp_path / "run", jobs=jobs, record="cards")
    assert len(hash_parts(whole)) == 3 * 5
    assert hash_parts(tmp_path / "run") == hash_parts(whole)
    one, many = store.read_manifest(whole), store.read_manifest(tmp_path / "run")
    del one["wall_s"], many["wall_s"]
    assert many == one


def test_a_plain_strategy_at_the_table_changes_nothing_of_that(tmp_path: Path) -> None:
    bot = tmp_path / "careless.py"
    bot.write_text(PLAIN.format(condition="False", fault="pass"), encoding="utf-8")
    experiment = make_experiment(str(bot), "low", "random", "greedy", blocks=6)
    digests = {
        run_experiment(experiment, tmp_path / f"run-{jobs}", jobs=jobs).manifest["digest"] for jobs in (1, 3)
    }
    assert len(digests) == 1


def test_the_order_of_hashes_in_python_changes_nothing(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; import sys, test_runner as t\n"
        "run = t.run_experiment(t.make_experiment(*t.COMPILED, blocks=40), Path(sys.argv[1]), jobs=2)\n"
        "print(run.manifest['digest'], run.manifest['plan_sha256'])"
    )
    said = [run_python(code, str(tmp_path / seed), PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert said[0] == said[1]
    assert hash_parts(tmp_path / "1") == hash_parts(tmp_path / "2")


def test_what_is_kept_does_not_change_what_is_played(whole: Path, tmp_path: Path) -> None:
    for record in ("none", "deals"):
        run = run_experiment(make_experiment(*COMPILED), tmp_path / record, jobs=2, record=record)
        assert run.manifest["digest"] == store.read_manifest(whole)["digest"]
    kept = {name: hashed for name, hashed in hash_parts(whole).items() if "cards" not in name}
    assert hash_parts(tmp_path / "deals") == kept


def test_another_seed_is_another_run(whole: Path, tmp_path: Path) -> None:
    run = run_experiment(make_experiment(*COMPILED, seed=0), tmp_path / "run", jobs=2)
    assert run.manifest["digest"] != store.read_manifest(whole)["digest"]
    assert run.manifest["plan_sha256"] != store.read_manifest(whole)["plan_sha256"]


# --- what a run folder says


def test_the_manifest_counts_what_the_parts_hold(whole: Path) -> None:
    manifest = store.read_manifest(whole)
    deals = pl.concat(pl.read_parquet(path) for path in sorted(whole.glob("units/*.deals.parquet")))
    assert (manifest["status"], manifest["games"], manifest["deals"]) == (
        "complete",
        4 * BLOCKS,
        deals.height,
    )
    assert [unit["unit"] for unit in manifest["units"]] == list(range(5))
    assert manifest["units"][-1]["last_block"] == BLOCKS - 1
    order = deals.select("block", "table", "seating", "deal")
    assert order.equals(order.sort("block", "table", "seating", "deal"))
    assert deals.filter(pl.col("ended") > 0).height == 4 * BLOCKS


def test_the_manifest_can_play_the_run_again(whole: Path, tmp_path: Path) -> None:
    manifest = json.loads((whole / store.MANIFEST).read_text(encoding="utf-8"))
    again = run_experiment(Experiment.from_dict(manifest["experiment"]), tmp_path / "again", jobs=2)
    assert again.manifest["digest"] == manifest["digest"]


def test_progress_counts_up_to_the_whole(tmp_path: Path) -> None:
    told: list[Progress] = []
    run = run_experiment(make_experiment(*COMPILED), tmp_path / "run", jobs=2, on_progress=told.append)
    assert [p.units_done for p in told] == [1, 2, 3, 4, 5]
    assert {p.units_total for p in told} == {5}
    assert (told[-1].blocks_done, told[-1].games, told[-1].deals) == (
        BLOCKS,
        4 * BLOCKS,
        run.manifest["deals"],
    )
    assert sum(p.sums["games"].sum() for p in told) == 4 * told[-1].games


# --- stopping and going on


def hold_until_the_stop(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let unit ``first`` begin, but go on only when the run stops; the units after it are dropped then."""
    play = runner._play_unit

    def play_or_hold(work: Any, unit: int) -> Any:
        if unit >= first:
            assert work.stop.wait(60)
        if unit > first:
            raise PlayStopped
        return play(work, unit) if unit < first else play(replace(work, stop=threading.Event()), unit)

    monkeypatch.setattr(runner, "_play_unit", play_or_hold)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stopped_run_goes_on_to_the_same_bytes(
    jobs: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unit 1, and then unit 3, is under way at the stop: it is kept as well, and nothing after it."""
    folder, experiment = tmp_path / "run", make_experiment(*COMPILED)
    for under_way in (1, 3):
        with monkeypatch.context() as patch:
            hold_until_the_stop(under_way, patch)
            kept = under_way + 1
            with pytest.raises(Interrupted, match=rf"stopped; {kept} of 5 units are kept in") as caught:
                run_experiment(
                    experiment,
                    folder,
                    jobs=jobs,
                    record="cards",
                    resume=under_way > 1,
                    on_progress=StopAfter(under_way),
                )
        assert caught.value.exit_code == 130
        manifest = store.read_manifest(folder)
        assert manifest["status"] == "stopped"
        assert [unit["unit"] for unit in manifest["units"]] == list(range(kept))
        assert len(hash_parts(folder)) == 3 * kept
    run_experiment(experiment, folder, jobs=jobs, record="cards", resume=True)
    assert hash_parts(folder) == hash_parts(whole)
    assert store.read_manifest(folder)["digest"] == store.read_manifest(whole)["digest"]
    assert [t for t in threading.enumerate() if t.name.startswith("hearts-sim")] == []


def test_damaged_and_foreign_parts_are_played_again(whole: Path, tmp_path: Path) -> None:
    folder, experiment = tmp_path / "run", make_experiment(*COMPILED)
    run_experiment(experiment, folder, jobs=2, record="cards")
    cut, gone, foreign = (store.part_path(folder, unit, "deals") for unit in (0, 1, 2))
    cut.write_bytes(cut.read_bytes()[:-100])
    gone.unlink()
    other = run_experiment(make_experiment(*COMPILED, seed=6), tmp_path / "other", jobs=2)
    foreign.write_bytes(store.part_path(other.folder, 2, "deals").read_bytes())
    (folder / store.UNITS / ".00003.deals.parquet.tmp").write_bytes(b"half a file, from a power cut")
    told: list[Progress] = []
    run_experiment(experiment, folder, jobs=1, record="cards", resume=True, on_progress=told.append)
    assert [p.units_done for p in told] == [3, 4, 5]
    parts = {name: hashed for name, hashed in hash_parts(folder).items() if not name.startswith(".")}
    assert parts == hash_parts(whole)


def test_a_finished_run_resumed_plays_nothing(tmp_path: Path) -> None:
    experiment = make_experiment(*COMPILED, blocks=20)
    first = run_experiment(experiment, tmp_path / "run")
    told: list[Progress] = []
    again = run_experiment(experiment, tmp_path / "run", resume=True, on_progress=told.append)
    assert told == []
    assert (again.manifest["status"], again.manifest["digest"]) == ("complete", first.manifest["digest"])


def test_a_folder_is_resumed_only_by_the_run_it_holds(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run_experiment(make_experiment(*COMPILED, blocks=20), folder)
    before = hash_parts(folder)
    others = (
        make_experiment(*COMPILED, blocks=21),
        make_experiment(*COMPILED, blocks=20, seed=6),
        make_experiment("random", "low", "ducker", "ducker", blocks=20),
        make_experiment(*COMPILED, blocks=20, unit="deal"),
    )
    for other in others:
        with pytest.raises(UsageError, match="holds another run"):
            run_experiment(other, folder, resume=True)
    with pytest.raises(UsageError, match="--record"):
        run_experiment(make_experiment(*COMPILED, blocks=20), folder, resume=True, record="none")
    (folder / store.MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(DamagedRun, match="cannot be read"):
        run_experiment(make_experiment(*COMPILED, blocks=20), folder, resume=True)
    assert hash_parts(folder) == before


def test_an_existing_folder_is_refused_and_only_a_run_can_be_replaced(tmp_path: Path) -> None:
    folder, experiment = tmp_path / "run", make_experiment(*COMPILED, blocks=20)
    run_experiment(experiment, folder, record="cards")
    before = hash_parts(folder)
    with pytest.raises(UsageError, match="exists already"):
        run_experiment(experiment, folder)
    assert hash_parts(folder) == before
    run_experiment(experiment, folder, record="none", force=True)
    assert {name.split(".")[1] for name in hash_parts(folder)} == {"sums"}
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(UsageError, match="not a run folder"):
        run_experiment(experiment, mine, force=True)
    assert (mine / "thesis.txt").read_text(encoding="utf-8") == "years of work"


def test_a_run_that_breaks_off_is_never_called_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(path: Path, *_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(store, "write_part", fill_the_disk)
        with pytest.raises(OSError, match="No space left"):
            run_experiment(make_experiment(*COMPILED, blocks=20), tmp_path / "run")
    assert store.read_manifest(tmp_path / "run")["status"] == "failed"
    done = run_experiment(make_experiment(*COMPILED, blocks=20), tmp_path / "run", resume=True)
    assert done.manifest["status"] == "complete"


def test_warming_up_compiles_all_that_a_run_needs(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; import sys, test_runner as t\n"
        "from hearts_sim.game import loop\n"
        "from hearts_sim.tournament import count\n"
        "def list_compiled(): return [len(f.signatures) for f in (loop.run, count.count_deals)]\n"
        "experiment = t.make_experiment(*t.COMPILED, blocks=4)\n"
        "t.runner.warm_up(experiment, t.runner.load_players(experiment))\n"
        "print(list_compiled())\n"
        "t.run_experiment(experiment, Path(sys.argv[1]))\n"
        "print(list_compiled())"
    )
    said = run_python(code, str(tmp_path / "run"))
    assert said == "[1, 1]\n[1, 1]\n"


# --- strategies at fault

IN_GAME_7 = "table.deal_number == 3 and table.trick_number == 5 and table.scores[me.seat] == 1"


@pytest.mark.parametrize(
    ("template", "fault", "said"),
    [
        (PLAIN, "return 0", "answered no card; 1 of the legal cards is wanted"),
        (PLAIN, "return int(table.rules.deck)", "1 of the legal cards is wanted"),
        (PLAIN, "return 'QS'", "answered 'QS', which is not a set of cards"),
        (PLAIN, "return -1", "answered -1, which is not a set of cards"),
        (PLAIN, "raise KeyError('queen')", "raised KeyError: 'queen' (line 19)"),
        (PLAIN, "import sys; sys.exit(0)", "raised SystemExit: 0 (line 19)"),
        (COMPILED_FAULT, "return table.rules.deck", "1 of the legal cards is wanted"),
        (COMPILED_FAULT, "raise ValueError('lost count')", "raised ValueError: lost count"),
    ],
    ids=["none", "many", "text", "negative", "raises", "exits", "compiled many", "compiled raises"],
)
def test_a_fault_names_the_strategy_and_the_line_that_replays_it(
    template: str, fault: str, said: str, tmp_path: Path
) -> None:
    bot = tmp_path / "careless.py"
    bot.write_text(template.format(condition=IN_GAME_7, fault=fault), encoding="utf-8")
    experiment = make_experiment(str(bot), "low", "ducker", "greedy", blocks=200)
    folder = tmp_path / "run"
    with pytest.raises(PlayFault) as caught:
        run_experiment(experiment, folder, jobs=1)
    text, facts = str(caught.value), caught.value.facts
    assert caught.value.exit_code == 3
    assert text.startswith("the strategy 'careless' (careless.py) ")
    assert said in text
    assert (facts.entrant, facts.method, facts.deal, facts.trick) == (0, "choose_card", 3, 5)
    where = f"--block {facts.game} --table 0 --seating {facts.seating} --deal 3"
    assert f"hearts-sim replay {folder} {where}" in text
    assert facts.hand & facts.legal == facts.legal
    assert store.read_manifest(folder)["status"] == "failed"


def test_units_finished_before_a_fault_are_kept_and_not_played_again(tmp_path: Path) -> None:
    """The strategy is at fault in its 25th game, the first of unit 3; then it is mended."""
    bot = tmp_path / "careless.py"
    counting = """
    games, last_game = 0, 24

    def __init__(self):
        Careless.games += 1
"""
    text = PLAIN.format(condition="Careless.games > Careless.last_game", fault="return 0")
    bot.write_text(
        text.replace("    compiled = False\n", "    compiled = False\n" + counting), encoding="utf-8"
    )
    experiment = make_experiment(str(bot), "low", "ducker", "greedy", blocks=40)
    folder = tmp_path / "run"
    with pytest.raises(PlayFault, match="What was finished before is kept in"):
        run_experiment(experiment, folder, jobs=1)
    manifest = store.read_manifest(folder)
    assert [unit["unit"] for unit in manifest["units"]] == [0, 1, 2]
    assert manifest["games"] == 24
    before = hash_parts(folder)
    bot_class = registry.find(str(bot)).cls
    bot_class.last_game, bot_class.games = 1000, 0
    assert run_experiment(experiment, folder, jobs=1, resume=True).manifest["status"] == "complete"
    assert bot_class.games == 160 - 24
    assert before.items() <= hash_parts(folder).items()


def test_of_several_faults_the_first_unit_s_is_told(tmp_path: Path) -> None:
    bot = tmp_path / "careless.py"
    bot.write_text(PLAIN.format(condition="True", fault="return 0"), encoding="utf-8")
    experiment = make_experiment(str(bot), "low", "ducker", "greedy", blocks=40)
    for attempt in range(5):
        with pytest.raises(PlayFault) as caught:
            run_experiment(experiment, tmp_path / str(attempt), jobs=1)
        assert (caught.value.facts.game, caught.value.facts.deal) == (0, 1)


def test_a_strategy_that_does_not_compile_writes_nothing(tmp_path: Path) -> None:
    bot = tmp_path / "careless.py"
    bot.write_text(COMPILED_FAULT.format(condition="True", fault="return open('x').read()"), encoding="utf-8")
    with pytest.raises(StrategyFault, match=r"careless.* does not compile: choose_card"):
        run_experiment(make_experiment(str(bot), "low", "ducker", "greedy"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


# --- shipped experiments


@pytest.mark.parametrize("name", ["cpu_levels", "cpu_opponents", "ladder"])
def test_shipped_experiments_play(name: str, tmp_path: Path) -> None:
    path = Path(__file__).resolve().parents[2] / "experiments" / f"{name}.toml"
    values = tomllib.loads(path.read_text(encoding="utf-8"))
    values["design"]["blocks"] = 12
    experiment = build_experiment(Document(values, path))
    run = run_experiment(experiment, tmp_path / "run", jobs=2)
    assert run.manifest["status"] == "complete"
    assert run.manifest["games"] == make_plan(experiment).n_games
