"""README's blocks are what the commands print, and its bot plays."""

from __future__ import annotations

import re
from pathlib import Path

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(after: str) -> str:
    found = re.search(re.escape(after) + r"\n```\w+\n(.*?)```", README, re.S)
    assert found is not None, f"README has no block after {after}"
    return found.group(1)


def test_the_ranking_is_the_recorded_one() -> None:
    recorded = (ROOT / "results/example/ranking.txt").read_text(encoding="utf-8")
    assert block("<!-- results/example/ranking.txt -->") == recorded


def test_the_bench_block_is_the_recorded_one() -> None:
    recorded = (ROOT / "docs/bench.txt").read_text(encoding="utf-8")
    assert block("<!-- hearts-sim bench -->") == recorded


def test_every_linked_file_exists() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_bot_in_the_readme_plays(tmp_path: Path) -> None:
    text = re.search(r"```python\n(.*?)```", README, re.S)
    assert text is not None
    bot = tmp_path / "my_bot.py"
    bot.write_text(text.group(1), encoding="utf-8")
    rows = Session(Rules(), 1, [load_player(str(bot)), load_player("random")]).play(
        make_jobs(0, 50, 0, (0, 1, 1, 1))
    )
    assert rows["points"][:, 0].mean() < rows["points"][:, 1].mean()
