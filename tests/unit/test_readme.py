"""What the README and the Makefile promise exists: targets, commands, flags, links, and the shown output."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pincite import errors

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SAMPLE = ROOT / "examples" / "sample"


def blocks(language: str) -> list[str]:
    """The README's fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands(program: str) -> list[list[str]]:
    """The words of each line of the shell blocks that starts with `program`, without its comment."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith(f"{program} ")]


def pincite(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with copies of the sample library: `my-folder/`, and `examples/` with its questions."""
    root = tmp_path_factory.mktemp("readme")
    leave = shutil.ignore_patterns(".pincite", "__pycache__")
    shutil.copytree(SAMPLE, root / "my-folder", ignore=leave)
    shutil.copytree(SAMPLE.parent, root / "examples", ignore=leave)
    return root


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {command[1] for command in commands("make")}
    assert named
    assert named <= targets


def test_shell_and_python_blocks_run(folder: Path) -> None:
    asked = commands("pincite")
    assert {command[1] for command in asked} >= {"sync", "ask", "search", "show", "explain", "status"}
    for _, *arguments in asked:
        done = pincite(*arguments, cwd=folder)
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout.strip(), arguments
    for block in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=folder, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        assert "manual.md:" in done.stdout


def test_the_office_files_answer_as_shown(folder: Path) -> None:
    (block,) = [block for block in blocks("console") if "examples/office" in block]
    assert pincite("sync", "examples/office", cwd=folder).returncode == 0
    for shown in block.split("$ pincite ")[1:]:
        line, _, output = shown.partition("\n")
        done = pincite(*shlex.split(line), cwd=folder)
        assert done.stdout.strip() == output.strip(), done.stderr


def test_the_notes_of_the_demo_are_shown(folder: Path) -> None:
    shown = README.split("<!-- demo output: begin -->")[1].split("<!-- demo output: end -->")[0]
    for question in re.findall(r'^\$ pincite ask "(.+?)"', shown, re.MULTILINE):
        done = pincite("ask", question, "--in", "my-folder", cwd=folder)
        for note in re.findall(r"^Note: .*$", done.stderr, re.MULTILINE):
            assert note in shown


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_name_no_folder_of_this_repository_but_the_examples(path: Path) -> None:
    named = re.findall(r"(?:pincite sync |--in |open\(\")([\w./-]+)", path.read_text("utf-8"))
    assert {name for name in named if (ROOT / name).is_dir()} <= {"examples/sample", "examples/office", "."}


def test_the_shown_demo_output_cites_lines_that_exist() -> None:
    shown = README.split("<!-- demo output: begin -->")[1].split("<!-- demo output: end -->")[0]
    cited = re.findall(r"([\w./-]+\.\w+):(\d+)(?:-(\d+))?", shown)
    assert cited
    for uri, first, last in cited:
        lines = (SAMPLE / uri).read_text("utf-8").split("\n")
        assert 1 <= int(first) <= int(last or first) <= len(lines)


def test_exit_codes_are_those_of_the_errors() -> None:
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {kind.exit_code for kind in kinds if issubclass(kind, errors.PinciteError)}
    assert codes - {1} <= listed
    assert listed - codes == {0, 8, 70, 130, 141, 143}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = [t.partition("#")[0] for t in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in t]
    assert [t for t in targets if t and not (path.parent / t).exists()] == []


def test_requirements_are_pinned_and_name_no_place() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def test_every_requirement_is_pinned() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=!~\[; ]", line)[0].lower().replace("_", "-") for line in wanted}
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert names <= {line.partition("==")[0].lower().replace("_", "-") for line in lines}


def test_the_page_on_python_measures_as_it_says(folder: Path) -> None:
    page = (ROOT / "docs/python.md").read_text("utf-8")
    (block,) = (one for one in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "versus" in one)
    questions = (folder / "examples/sample_questions.tsv").read_text("utf-8").splitlines()[:13]
    (folder / "questions.tsv").write_text("\n".join(questions) + "\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", block], cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("nDCG@3 ")] and "settings" in lines[-1]
    assert "<h1" in (folder / "report.html").read_text("utf-8")
    shown = pincite("report", "base", "--in", "my-folder", cwd=folder)
    assert shown.returncode == 0 and "base, " in shown.stdout
