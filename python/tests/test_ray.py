"""Ray: over a cluster of two nodes everything is as in one process, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import batt

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'batt-arc[ray]'")
import batt.ray  # noqa: E402
from batt.ray import breed, schedule  # noqa: E402


class Nodes:
    """A cluster of a head and another node, each of one core."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        self.other = self.cluster.add_node(num_cpus=1)
        ray.init(address=self.cluster.address, log_to_driver=False)

    def both(self) -> Nodes:
        """Have both nodes there."""
        if self.other is None:
            self.other = self.cluster.add_node(num_cpus=1)
            self.cluster.wait_for_nodes()
        ends = time.monotonic() + 20
        while ray.cluster_resources().get("CPU") != 2 and time.monotonic() < ends:
            time.sleep(0.1)
        return self

    def remove(self) -> None:
        self.cluster.remove_node(self.other, allow_graceful=False)
        self.other = None

    def workers(self) -> list[int]:
        """The processes that work for this cluster now."""
        session = self.cluster.head_node.get_session_dir_path()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                title = (entry / "cmdline").read_bytes()
                parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                raylet = Path(f"/proc/{parent}/cmdline").read_bytes()
            except OSError:
                continue
            # A node whose agents die dies itself; those are not workers.
            works = title.startswith(b"ray::") and b"IDLE" not in title and b"Agent" not in title
            if works and session.encode() in raylet:
                found.append(int(entry.name))
        return found

    def kill(self) -> None:
        pids = self.workers()
        assert pids, "nobody works"
        os.kill(pids[-1], signal.SIGKILL)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    made = Nodes()
    yield made
    ray.shutdown()
    made.cluster.shutdown()


class Later:
    """Does something to the cluster a moment after a worker began to work, on a thread of its own."""

    def __init__(self, nodes: Nodes, what: str) -> None:
        self.nodes, self.what = nodes, getattr(nodes, what)
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        try:
            ends = time.monotonic() + 20
            while not self.nodes.workers() and time.monotonic() < ends:
                time.sleep(0.05)
            time.sleep(0.3)
            self.what()
        except BaseException as error:
            self.error = error

    def __enter__(self) -> Later:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        was_under_way = self.thread.is_alive()
        self.thread.join()
        assert self.error is None, self.error
        assert not was_under_way, "the work was over before anything happened"


def plain(report: Any) -> str:
    """A report without what differs between two runs of one process, too."""
    return json.dumps(
        {name: value for name, value in report.to_dict().items() if name not in ("seconds", "timing", "work")}
    )


def many(times: int) -> batt.Tasks:
    """The embedded tasks, many times over."""
    return batt.Tasks(
        [batt.Task(f"{task.id}_{n}", task.demos, task.tests) for n in range(times) for task in batt.tasks()]
    )


def exported(path: Path) -> str:
    with batt.Archive(str(path)) as archive:
        archive.export(path.with_suffix(".jsonl"))
    return path.with_suffix(".jsonl").read_text()


def test_programs_are_shipped_with_their_lines() -> None:
    from batt import _batt

    text = "# a comment\n\ndef solve_tent(S, I, C):\n    x = hmirror(\n        I)\n\n"
    text += "    f = compose(rot90, 5)\n    return f(x)\n"
    (program,) = batt.programs(text)
    (again,) = _batt.unship(_batt.ship([program]))
    assert again == program
    assert (again.name, again.task, again.source) == (program.name, program.task, program.source)
    data = batt.tasks()
    row, same = (batt.run([one], data).rows[0] for one in (program, again))
    assert row == same
    assert row["line"] == 3
    assert row["error"]["line"] > 3
    shipped = _batt.unship(_batt.ship(batt.programs()))
    assert plain(batt.run(shipped, data)) == plain(batt.run(None, data))
    with pytest.raises(ValueError, match="shipped"):
        _batt.unship([("def", "a", None, [1])])


@pytest.mark.parametrize(
    "options", [{}, {"cross": True, "differs": "builtin"}, {"differs": "builtin", "diff": "always"}]
)
def test_runs_are_the_same(nodes: Nodes, options: dict[str, Any]) -> None:
    nodes.both()
    tasks = batt.tasks()
    stray = "def solve_nothing(I):\n    return I\n\n"
    stray += "def other(I):\n    return first(\n        astuple(I, 0)\n    )\n"
    programs = [*batt.programs(), *batt.programs(stray), *batt.programs(stray)]
    mine = batt.ray.run(programs, tasks, **options)
    assert plain(mine) == plain(batt.run(programs, tasks, **options))
    assert mine["work"]["rows"] > 0


def test_batteries_are_the_same(nodes: Nodes) -> None:
    nodes.both()
    battery = batt.Battery(None, differs="builtin")
    assert batt.ray.run(battery, batt.tasks()) == battery.run(batt.tasks())
    task = batt.tasks()[3]
    assert batt.ray.run(battery, [(task, "demo1"), (task, "test0")]) == battery.run(
        [(task, "demo1"), (task, "test0")]
    )


@pytest.mark.parametrize("what", ["kill", "remove"])
def test_runs_survive(nodes: Nodes, what: str) -> None:
    nodes.both()
    tasks = many(200)
    options: dict[str, Any] = {"cross": True, "differs": "builtin", "diff": "always"}
    wanted = plain(batt.run(None, tasks, **options))
    with Later(nodes, what):
        mine = batt.ray.run(None, tasks, **options)
    assert plain(mine) == wanted


def test_answers_are_the_same(nodes: Nodes) -> None:
    nodes.both()
    tasks = batt.tasks()
    heard: dict[str, int] = {}
    mine = batt.ray.solve(tasks, budget=1_000_000, on_task=heard.__setitem__)
    alone = batt.solve(tasks, budget=1_000_000)
    assert mine == alone
    assert list(mine) == list(alone)
    assert [one.source for one in mine.programs] == [one.source for one in alone.programs]
    assert heard == {task: len(attempts) for task, attempts in alone.items()}
    assert len(batt.ray.solve(tasks, max_seconds=0)) == 0


@pytest.mark.parametrize("what", ["kill", "remove"])
def test_answers_survive(nodes: Nodes, what: str) -> None:
    nodes.both()
    tasks = batt.tasks()
    alone = batt.solve(tasks)
    with Later(nodes, what):
        mine = batt.ray.solve(tasks)
    assert mine == alone


#: It goes on for some seconds: a removed node's worker answers until it notices.
BREEDING: dict[str, Any] = {"generations": 20, "seed": 7, "population": 48}


@pytest.fixture(scope="module")
def bred(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("alone") / "batt.db"
    batt.evolve(batt.tasks(), archive=str(path), threads=2, **BREEDING)
    return exported(path)


@pytest.mark.parametrize("what", ["nothing", "kill", "remove"])
def test_archives_are_the_same(
    nodes: Nodes, what: str, bred: str, tmp_path: Path, caplog: Any, monkeypatch: Any
) -> None:
    nodes.both()
    path = tmp_path / "batt.db"
    seen: list[int] = []
    solved: list[str] = []
    threads: list[threading.Thread] = []
    times = {"nothing": 0, "kill": 2, "remove": 1}[what]
    crews: list[breed.Actors] = []
    begin = breed.Actors.begin

    def begins(crew: breed.Actors) -> None:
        crews.append(crew)
        begin(crew)

    monkeypatch.setattr(breed.Actors, "begin", begins)

    def heard(metrics: dict[str, Any]) -> None:
        seen.append(metrics["generation"])
        if len(threads) < times and metrics["generation"] >= 2 and len(crews[-1].ready()) == 2:
            # In the middle of the next generation, not between two.
            threads.append(threading.Timer(0.1, getattr(nodes, what)))
            threads[-1].start()

    found = batt.ray.evolve(
        batt.tasks(),
        archive=str(path),
        on_generation=heard,
        on_solved=lambda task, _: solved.append(task),
        **BREEDING,
    )
    assert len(threads) == times
    assert all(not thread.is_alive() for thread in threads)
    lost = [record for record in caplog.records if "is gone" in record.message]
    # More than one where another was begun on a node that was about to be gone.
    assert len(lost) >= len(threads), "somebody worked when it happened"
    assert bool(lost) == bool(threads)
    assert seen == list(range(21))
    assert sorted(solved) == sorted(found.solved)
    assert exported(path) == bred


def test_a_run_goes_on_with_and_without_a_cluster(nodes: Nodes, bred: str, tmp_path: Path) -> None:
    nodes.both()
    path = str(tmp_path / "batt.db")
    batt.ray.evolve(batt.tasks(), archive=path, **{**BREEDING, "generations": 3})
    with pytest.raises(batt.OptionError, match="was begun before"):
        batt.ray.evolve(batt.tasks(), archive=path, **BREEDING)
    batt.evolve(batt.tasks(), archive=path, resume=True, **{**BREEDING, "generations": 5})

    class Enough(Exception):
        pass

    def stop(metrics: dict[str, Any]) -> None:
        if metrics["generation"] == 7:
            raise Enough

    with pytest.raises(Enough):
        batt.ray.evolve(batt.tasks(), archive=path, resume=True, on_generation=stop, **BREEDING)
    batt.ray.evolve(batt.tasks(), archive=path, resume=True, **BREEDING)
    assert exported(Path(path)) == bred


def test_errors_come_as_they_are(nodes: Nodes) -> None:
    nodes.both()
    with pytest.raises(batt.OptionError, match=r"num_gpus is 0\.5"):
        batt.ray.run(None, batt.tasks(), num_gpus=0.5)  # type: ignore[arg-type]
    with pytest.raises(batt.OptionError, match="whole cores"):
        batt.ray.solve(batt.tasks(), num_cpus=0)
    with pytest.raises(batt.DeviceError, match="has no 1 GPUs"):
        batt.ray.solve(batt.tasks(), num_gpus=1)
    with pytest.raises(batt.OptionError, match="part"):
        batt.ray.solve(batt.tasks(), parts=["nonsense"])
    with pytest.raises(batt.OptionError, match="when to stop"):
        batt.ray.evolve(batt.tasks())


def command(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "batt", "ray", *words], capture_output=True, text=True, **more
    )


def test_the_command_says_what_it_takes() -> None:
    shown = command("--help")
    assert shown.returncode == 0
    assert "batt ray solve --tasks arc1:eval" in shown.stdout
    for word in ("run", "solve", "evolve"):
        shown = command(word, "--help")
        assert shown.returncode == 0
        assert "--address" in shown.stdout
        assert "Exit codes" in shown.stdout
    assert command().returncode == 2
    assert command("solve", "--workers", "0").returncode == 2
    bad = command("run", "--num-gpus", "0.25")
    assert bad.returncode == 2
    assert bad.stderr.startswith("error: num_gpus is 0.25\nhint: ")


def test_the_command_works(nodes: Nodes, tmp_path: Path, bred: str) -> None:
    address = nodes.both().cluster.address
    ran = command("run", "--address", address)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (
        0,
        "37 of 37 tasks solved, 168 of 168 samples, 0 errors",
    )
    out = tmp_path / "submission.json"
    ran = command("solve", "--address", address, "--budget", "1000000", "-o", str(out), "--json")
    alone = batt.solve(batt.tasks(), budget=1_000_000)
    counts = json.loads(ran.stdout)["attempts"]
    assert counts == {task: len(attempts) for task, attempts in alone.items()}
    assert ran.returncode == (0 if all(counts.values()) else 1)
    alone.submission().write(tmp_path / "alone.json")
    assert out.read_bytes() == (tmp_path / "alone.json").read_bytes()
    path = tmp_path / "batt.db"
    ran = command(
        "evolve",
        "--address",
        address,
        "--archive",
        str(path),
        "--generations",
        "20",
        "--seed",
        "7",
        "--population",
        "48",
    )
    assert ran.returncode == 1, ran.stderr
    assert exported(path) == bred


def test_batt_does_not_import_ray() -> None:
    code = "import sys, batt; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys; sys.modules['ray'] = None\nimport batt.ray"
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert failed.returncode == 1
    assert "ImportError: batt.ray needs Ray: pip install 'batt-arc[ray]'" in failed.stderr


class Timers:
    """A crew without Ray, whose workers die as they are told."""

    def __init__(self, workers: int, dies: dict[int, int]) -> None:
        self.there = list(range(workers))
        self.dies, self.sent = dies, 0
        self.out: list[tuple[int, list[int]]] = []
        self.had: dict[int, set[int]] = {worker: set() for worker in self.there}
        self.bred: list[int] = []

    def ready(self) -> list[schedule.Worker]:
        return list(self.there)

    def send(self, worker: schedule.Worker, lot: list[int], known: bool) -> None:
        assert isinstance(worker, int)
        assert worker in self.there
        self.sent += 1
        if not known:
            self.had[worker] |= set(lot)
        self.out.append((worker, lot))

    def wait(self) -> list[schedule.Event]:
        if not self.out and not self.there:
            self.there.append(99)
            self.had[99] = set()
            return [schedule.Event(99, [], [])]
        worker, lot = self.out.pop(0)
        self.dies[worker] = self.dies.get(worker, 1_000_000) - 1
        if self.dies[worker] < 0:
            self.there.remove(worker)
            self.out = [one for one in self.out if one[0] != worker]
            return [schedule.Event(worker, [], [], lost=True)]
        missing = [unit for unit in lot if unit not in self.had[worker]]
        self.bred += [unit for unit in lot if unit not in missing]
        return [schedule.Event(worker, lot, missing)]


@pytest.mark.parametrize("dies", [{}, {0: 1}, {0: 0, 1: 3}, {0: 2, 1: 2, 2: 2}])
def test_every_unit_is_bred_once(dies: dict[int, int]) -> None:
    crew, pace = Timers(3, dies), schedule.Pace()
    homes = schedule.Homes(pace)
    for generation in range(4):
        crew.bred.clear()
        assert homes.generation([0.02] * 40, crew, lambda: False)
        assert sorted(crew.bred) == list(range(40)), generation
    # Somebody who lost what it had says so, and is sent it.
    for had in crew.had.values():
        had.clear()
    crew.bred.clear()
    assert homes.generation([0.02] * 40, crew, lambda: False)
    assert sorted(crew.bred) == list(range(40))
    assert not homes.generation([0.02] * 40, crew, lambda: True)


def test_lots_are_long_enough_and_short_at_the_end() -> None:
    pace = schedule.Pace(0.002)
    items = schedule.Items([1.0] * 10_000, pace)
    lots = []
    while len(items):
        lots.append(items.take(10))
        items.done(lots[-1], 0.01 * len(lots[-1]))
    assert [at for lot in lots for at in lot] == list(range(10_000))
    # 0.002 s of the driver for each of 10 workers' lots, at 3 %: 0.67 s.
    assert max(map(len, lots)) == 67
    assert len(lots[-1]) <= 17
    assert pace.lot_seconds(1000) == pytest.approx(200 / 3)
