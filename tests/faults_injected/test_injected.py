"""The localiser names what was broken: the suite of `bench/faults.py` at a small size.

Two corpora: the sample library with its bundled model, and a small Chinese one with a stand-in. Each takes
half of the ways to break a stage, so that every code has about three cases.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from injected import answers, context, files, index, legs
from injected.cases import FAULTS, Fault, run
from injected.corpora import Corpus, corpus

from embedders import bag_of_words, maker
from libraries import write
from pincite.evaluate.diagnose import CODES
from pincite.evaluate.questions import read_questions
from pincite.types import Qrel, Question

assert files and index and legs and context and answers  # they enter their faults in the table
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WORDS = r"[A-Za-z0-9]+|[^\sA-Za-z0-9]"  # one token a word or a Chinese character

CHINESE = {
    "水库": ("水库什么时候放水？", "每年五月水库开始放水，全程持续36小时，下游村庄要提前两天收到通知。"),
    "茶叶": ("茶叶要烘干多久？", "采下的茶叶先摊放一夜，然后在低温炉里烘干90分钟，温度不得超过70度。"),
    "图书馆": ("图书馆可以借几本书？", "读者凭证每次可以从图书馆借走8本书，期限是30天，逾期每天罚款2角。"),
    "渡轮": ("最后一班渡轮几点开？", "最后一班渡轮在晚上21点45分离开码头，遇到大雾停航时改由巴士接送乘客。"),
    "蜂箱": ("蜂箱多久检查一次？", "养蜂人在花期里每隔9天检查一次蜂箱，发现王台就要立刻分群并做好记录。"),
    "电梯": ("电梯最多能载多少公斤？", "办公楼的电梯最多能载1050公斤，超过以后门不会关上，蜂鸣器会响三声。"),
    "博物馆": ("博物馆星期几闭馆？", "博物馆每逢星期一闭馆，节假日照常开放，门票在入口处售卖，价格是25元。"),
    "窑炉": ("窑炉要冷却多长时间？", "烧制完成以后，窑炉必须冷却18小时才能开门，否则瓷器会因为温差而开裂。"),
    "跑道": ("跑道有多长？", "新机场的跑道长3200米，宽45米，冬天由六台扫雪车轮流清理，不影响航班。"),
    "酱油": ("酱油需要发酵几个月？", "传统做法的酱油需要在陶缸里发酵14个月，每周搅拌一次，避免阳光直射。"),
    "灯塔": ("灯塔的光能照多远？", "海角上的灯塔每10秒闪一次，天气好的时候光能照到27海里以外的船只。"),
    "稻田": ("稻田什么时候排水？", "收割前15天稻田要排水晒干，这样收割机才不会陷进泥里，稻谷也更容易脱粒。"),
    "滑雪场": ("滑雪场有几条雪道？", "山上的滑雪场一共有22条雪道，其中4条晚上也开放，装备可以在山脚租借。"),
    "印刷机": ("印刷机每小时印多少张？", "车间里的印刷机每小时印刷7500张，换版需要20分钟，油墨自动供应。"),
}  # fmt: skip


def sample(root: Path) -> Corpus:
    names = [
        path for path in (EXAMPLES / "sample").rglob("*") if path.is_file() and ".pincite" not in path.parts
    ]
    write(root, {path.relative_to(EXAMPLES / "sample").as_posix(): path.read_bytes() for path in names})
    questions = read_questions(EXAMPLES / "sample_questions.tsv").questions
    return corpus("sample", root, questions)


def chinese(root: Path) -> Corpus:
    texts = {
        f"{name}.md": f"# {name}\n\n{line}\n\n{name}由当地居民管理，{'最近几年来参观的人越来越多。' * 2}\n"
        for name, (_, line) in CHINESE.items()
    }
    for name in list(CHINESE)[::2]:
        texts[f"{name}来信.md"] = (
            f"# 来信\n\n有读者来信问起{name}，编辑部还没有回复。{name}的旧照片也在这里。\n"
        )
    write(root, texts)
    questions = [
        Question(f"q{n}", question, (Qrel(f"q{n}", f"{name}.md", 3),))
        for n, (name, (question, _)) in enumerate(CHINESE.items())
    ]
    questions += [
        Question(f"u{n}", f"{one}的主任叫什么名字？", answerable=False) for n, one in enumerate("甲乙")
    ]
    return corpus("chinese", root, questions, make_embedder=maker(bag_of_words(dimension=64, token=WORDS)))


@pytest.fixture(scope="module", params=[sample, chinese], ids=["sample", "chinese"])
def broken(request: pytest.FixtureRequest) -> Iterator[Corpus]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield request.param(Path(folder) / "whole")


def half(code: str, corpus: Corpus) -> list[Fault]:
    """The ways to break a stage that are tried on a corpus: every other one, or the only one."""
    ways = [fault for fault in FAULTS if fault.code == code]
    return ways[corpus.name == "sample" :: 2] or ways


@pytest.mark.parametrize("code", CODES)
def test_what_was_broken_is_named(broken: Corpus, code: str) -> None:
    outcomes = list(run(broken, half(code, broken), 2))
    assert outcomes, "no case"
    wrong = [
        f"{one.fault}: {one.finding.code} {dict(one.finding.ranks)} {one.finding.proof}"
        for one in outcomes
        if not one.right
    ]
    assert wrong == []


def test_every_code_can_be_put_in() -> None:
    assert {fault.code for fault in FAULTS} == set(CODES)
    names = [str(fault) for fault in FAULTS]
    assert len(names) == len(set(names))
