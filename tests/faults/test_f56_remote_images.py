"""F56: an answer that wants a remote image loads nothing, in a report and on a terminal."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from chat_server import chat_server
from chromium import browser, chromium
from html_page import elements
from libraries import FAULTS, bundled
from made_runs import diagnosed, question, run_of
from pincite.answer.inert import remote
from pincite.cli.answered import answer_text
from pincite.cli.terminal import Terminal
from pincite.config import Config, LLMConfig
from pincite.evaluate.html_report.diff import diff_page
from pincite.evaluate.html_report.page import run_page
from pincite.evaluate.saved import RunQuestion
from pincite.evaluate.versus import versus
from pincite.library import Library

HERE = FAULTS / "F56"
HOST = json.loads((HERE / "expect.json").read_text("utf-8"))["forbidden_host"]
ROWS = [line.split("\t") for line in (HERE / "outputs.tsv").read_text("utf-8").splitlines()[1:]]
OUTPUTS = [json.loads(text) for text, _ in ROWS]
LOADING = {"img", "iframe", "video", "audio", "object", "embed", "image", "use", "source", "base"}
FROM_ELSEWHERE = {"src", "srcset", "action", "data", "poster", "background", "style"}


def pages(outputs: list[str]) -> list[str]:
    """The page of a run and of two, with the outputs in every field that is shown of a question."""
    asked = [[_question(n, rank, text) for n, text in enumerate(outputs, 1)] for rank in (None, 1)]
    base, new = (diagnosed(run_of(some, notices=tuple(outputs), set_name=outputs[0])) for some in asked)
    return [run_page(base, outputs[0]), run_page(new, "new"), diff_page(versus(base, new), outputs[0], "new")]


def _question(number: int, rank: int | None, text: str) -> RunQuestion:
    error = "" if rank else text
    one = (text,)
    return question(number, rank, text, expected=one, found=one, tags=one, labels=one, error=error)


def test_a_report_shows_every_output_as_text_and_loads_nothing() -> None:
    assert len(OUTPUTS) == 9
    for page in pages(OUTPUTS):
        every = elements(page)
        assert not LOADING & {one.name for one in every}
        for one in every:
            assert not FROM_ELSEWHERE & one.attributes.keys()
            target = one.attributes.get("href", "#")
            assert target.startswith("#") or (one.name, target) == ("link", "data:,")
            if one.name in ("style", "script"):
                assert HOST not in one.text and "url(" not in one.text and "@import" not in one.text
        (policy,) = [one.attributes["content"] for one in every if "http-equiv" in one.attributes]
        assert policy.startswith("default-src 'none'; img-src data:; ")
        shown = " ".join(" ".join(one.text for one in every if one.name == "main").split())
        for output in OUTPUTS:
            assert " ".join(output.split()) in shown  # the host is read, no link hides it


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A server on this computer in place of the forbidden host, and the paths that were asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")
def test_a_browser_that_shows_a_report_asks_the_host_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "profile").mkdir()
    with listening() as (host, asked), browser(tmp_path / "profile") as tab:
        outputs = [output.replace(f"https://{HOST}", f"http://{host}") for output in OUTPUTS]
        for n, page in enumerate(pages(outputs)):
            (tmp_path / f"{n}.html").write_text(page, "utf-8")
            tab.open(tmp_path / f"{n}.html", width=1280)
            assert tab.value("document.images.length") == 0
        assert asked == []
        (tmp_path / "loads.html").write_text(f'<img src="http://{host}/seen.png">')
        tab.open(tmp_path / "loads.html", width=1280)
        assert asked == ["/seen.png"]  # such a page would be seen


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_terminal_shows_the_words_and_links_to_nothing_but_cited_files(tmp_path: Path, output: str) -> None:
    """The model's words are all printed; links are those of the product's own table of sources."""
    docs = tmp_path / "docs"
    with bundled(docs, {"pump.md": "# Pump\n\nThe pump takes two litres of oil.\n"}) as lib:
        lib.sync()
    with chat_server(lambda system, user: f"The pump takes two litres of oil [1]. {output} [1]") as server:
        config = Config(llm=LLMConfig(base_url=server.url, model="stub"))
        with Library(docs, docs / ".pincite", config) as opened:
            answer = opened.ask("How much oil does the pump take?")
    assert answer.claims and answer.claims[0].citations
    plain = answer_text(answer, root=docs, term=Terminal())
    rich = answer_text(answer, root=docs, term=Terminal(rich=True))
    assert remote(answer.text) == []
    told, said = (re.sub(r"\[1(?:: not verified)?\]", "", text) for text in (output, plain))
    assert re.sub(r"\W+", "", told) in re.sub(r"\W+", "", said)
    targets = re.findall(r"\x1b\]8;;([^\x1b]*)\x1b", rich)
    opened_files = [target for target in targets if target]
    assert opened_files and all(one.startswith(f"file://{docs}/pump.md") for one in opened_files)
    assert "\x1b]8" not in plain
