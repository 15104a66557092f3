"""What a text becomes as lexical terms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from growth import assert_linear
from pincite.analyze import (
    LONGEST_WORD,
    MOST_QUERY_TERMS,
    analyze,
    codes,
    fingerprint,
    identifier,
    phrases,
    stop_words,
)
from pincite.errors import UsageError


def document(text: str, *stemmers: str) -> list[str]:
    return analyze(text, side="document", stemmers=stemmers or ("english",)).split()


def query(text: str, *stemmers: str) -> list[str]:
    return analyze(text, side="query", stemmers=stemmers or ("english",)).split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Pumps pumped", "pump pump"),
        ("loadInvoiceById", "loadinvoicebyid load invoic by id"),
        ("XMLHeader base64Encode", "xmlheader xml header base64encode base64 encod"),
        ("TariffService", "tariffservice tariffservic tariff servic"),
        ("IDs", "id"),
        ("drain_queue", "drain_queue drain queue"),
        (r"drain\_queue", "drain_queue drain queue"),
        ("self._private", "self._private self privat"),
        ("ERR-5021", "err-5021 err5021 err 5021"),
        ("10-20", "10-20 10 20"),
        ("2024-05-01", "2024-05-01 2024 05 01"),
        ("v1.2.3 1.2.3. 6.17", "1.2.3 1.2.3 6.17"),
        ("1.2.3-rc1", "1.2.3-rc1 1.2.3 rc1"),
        ("192.168.0.1", "192.168.0.1"),
        ("C++ C# F# .NET, C/C++ (C++)", "c++ c# f# .net c c++ c++"),
        ("C++17 libstdc++", "c++17 c++ libstdc++ libstdc"),
        ("ASP.NET config.yaml", "asp.net asp net config.yaml config yaml"),
        ("jane.doe@example.org", "jane.doe jane doe example.org exampl org"),
        ("Inbox/receipts", "inbox receipt"),
        ("--keep-going", "keep-going keep go"),
        ("level:high *.log (Alt+F4)", "level high log alt f4"),
        ("can't cant don’t", "cant cant dont"),
        ("the pump's dogs' we'll", "the pump dog we"),
        ("O'Brien l'eau", "obrien o brien leau l eau"),
        ("U.S. e.g.", "us eg"),
        ("1,000,000 1,000.5", "1000000 1000.5"),
        ("m² CO₂ pressure¹ 10⁶ 5½", "m2 co2 pressur 1 10 6 5 1 2"),
        ("Acme™ soft\u00adhyphen zero\u200bwidth", "acm softhyphen zerowidth"),
        ("ﬁnd Ｃ＋＋", "find c++"),
        ("Straße ÅNGSTRÖM İstanbul", "strass angstrom istanbul"),
        ("हिन्दी में", "हिन्दी में"),
    ],
)
def test_terms_of_a_document(text: str, terms: str) -> None:
    assert document(text) == terms.split()


@pytest.mark.parametrize("dash", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
def test_every_dash_is_a_hyphen(dash: str) -> None:
    assert document(f"SK{dash}4") == query("SK-4")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("loadinvoicebyid", "loadInvoiceById"),
        ("invoice by id", "loadInvoiceById"),
        ("gitlab", "GitLab"),
        ("tariffservice", "TariffService"),
        ("err5021", "ERR-5021"),
        ("resume", "résumé"),
        ("résumé", "resume"),
        ("invoices", "invoiced"),
        ("Ёлка", "елка"),
        ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
    ],
)
def test_spellings_meet(asked: str, written: str) -> None:
    assert set(query(asked)) & set(document(written)), (query(asked), document(written))


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("1.2.3", "v1.2.30 1 2 3"),
        ("C", "C++ C#"),
        ("C++", "C C#"),
        (".NET", "net income"),
        ("仓库", "倉庫"),
        ("量子力学", "离心泵的轴承"),
        ("1020", "10-20"),
        ("й", "и"),
    ],
)
def test_near_misses_do_not_meet(asked: str, written: str) -> None:
    assert not set(query(asked)) & set(document(written))


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert document("Rack监控任务") == ["rack", "监", "控", "任", "务", "监控", "控任", "任务"]
    assert query("Rack监控任务") == ["rack", "监控", "控任", "任务"]
    assert query("泵") == document("泵") == ["泵"]
    assert query("펌프 정지") == ["펌프", "정지"]
    assert query("ポンプを") == ["ポン", "ンプ", "プを"]
    assert query("第3号") == ["第", "3", "号"]
    assert query("ﾎﾟﾝﾌﾟ") == query("ポンプ")
    assert set(query("ไทย")) <= set(document("ภาษาไทย"))


def test_several_stemmers_give_each_distinct_stem_once() -> None:
    assert document("Häuser houses", "english", "german") == ["hauser", "haus", "hous"]
    assert document("pump", "english", "german") == ["pump"]
    assert document("Häuser laufen", "german") == ["haus", "haus", "lauf"][:1] + document("laufen", "german")
    assert document("красные", "russian") == document("красный", "russian")


def test_without_stemmers_words_stay() -> None:
    assert analyze("Pumps résumé", side="document", stemmers=()) == "pumps resume"


def test_a_query_drops_stop_words_only_while_others_remain() -> None:
    assert query("What is the torque of a valve?") == ["torqu", "valv"]
    assert query("to be or not to be") == ["to", "be", "or", "not"]
    assert query("The Who") == ["the", "who"]
    assert query("what's its torque") == ["torqu"]
    assert query("What is to be done?  When a guest faints") == ["guest", "faint"]
    assert document("the valve") == ["the", "valv"]
    assert query("the valve", "german")[0] == "the"


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Wann ist die Kranwartung?", "Kranwartung"),
        ("Was kostet eine Schraube M8?", "Schraube M8"),
        ("Wie oft muss der Filter gewechselt werden?", "oft Filter gewechselt"),
        ("Quel est le montant de la caution ?", "montant caution"),
        ("Quand est l'assemblée de l'association ?", "assemblée association"),
        ("¿Cuánto cuesta la entrada?", "entrada"),
        ("Quanto costa l'ingresso?", "ingresso"),
        ("Quando é a assembleia?", "assembleia"),
        ("Wat kost de toegang?", "toegang"),
        ("Was ist der Kern?", "Kern"),
    ],
)
def test_a_query_drops_the_stop_words_of_its_own_language(question: str, content: str) -> None:
    assert query(question) == query(content)


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Was die casting used?", "die casting used"),
        ("What does the die cost in Des Moines?", "die cost des Moines"),
        ("Who was Juan de la Cruz?", "Juan de la Cruz"),
        ("par value of La Rosa", "par value la Rosa"),
        ("La La Land", "la Land"),
        ("Costa del Sol", "Costa del Sol"),
        ("comment syntax of Lua", "comment syntax Lua"),
    ],
)
def test_an_english_query_or_a_name_keeps_words_that_join_elsewhere(question: str, content: str) -> None:
    assert query(question) == [term for word in content.split() for term in query(word)]


def test_a_stop_word_in_capitals_is_a_name() -> None:
    assert query("who runs IT support") == ["run", "it", "support"]
    assert query("hepatitis A") == ["hepat", "a"]
    assert query("WHAT IS THE LIMIT") == ["limit"]
    assert query("What do I do") == query("what do i do")


def test_stop_words_are_lower_case_words() -> None:
    assert all(word.isalpha() and word.islower() for word in stop_words())


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "😀", "\x00", "\ud800", "- -", "__", "...", "'", "++", "#"]
)
def test_no_words_no_terms(text: str) -> None:
    assert analyze(text, side="document") == analyze(text, side="query") == ""


def test_a_very_long_word_is_found_as_a_whole_and_not_by_its_beginning() -> None:
    word = "Ab3" * LONGEST_WORD
    assert document(word) == query(word)
    (term,) = document(word)
    assert len(term) < 80
    assert document(word + "x") != document(word)
    assert document("a" * LONGEST_WORD) == ["a" * LONGEST_WORD]


def test_the_parts_of_a_very_long_joined_word_are_found() -> None:
    name = "_".join(f"part{i}" for i in range(100))
    terms = document(name)
    assert len(name) > LONGEST_WORD
    assert {"part0", "part99"} <= set(terms)
    assert terms[0] == query(name)[0]


def test_a_long_query_is_bounded_and_keeps_its_first_terms() -> None:
    terms = query(" ".join(f"w{i}" for i in range(20_000)))
    assert terms == [f"w{i}" for i in range(MOST_QUERY_TERMS)]


@pytest.mark.parametrize(
    "unit",
    ["a-", "a'", "a.", "-", "'", "aB", "1,", "1.", "a\\_", "+", "漢", "é", "\u0940", ".net", '"', "\ud800"],
)
def test_repetition_takes_linear_time(unit: str) -> None:
    def analysed(times: int) -> None:
        text = unit * times
        analyze(text, side="document")
        analyze(text, side="query")
        identifier(text)
        phrases(text)

    assert_linear(analysed, 10_000)


def test_threads_get_the_same_terms() -> None:
    texts = [f"running{i}x jumpers loadInvoices{chr(97 + i % 26)} pumps" for i in range(400)]
    alone = [analyze(text, side="document", stemmers=("porter",)) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda t: analyze(t, side="document", stemmers=("porter", "porter")), texts))
    assert together == alone


def test_an_unknown_stemmer_is_named() -> None:
    with pytest.raises(UsageError, match="klingon") as caught:
        analyze("x", side="query", stemmers=("klingon",))
    assert "english" in caught.value.hint


def test_the_fingerprint_names_the_stemmers() -> None:
    assert fingerprint(("english",)) == fingerprint(("english",))
    assert fingerprint(("english",)) != fingerprint(("english", "german")) != fingerprint(())


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("ERR-5021", "err-5021"),
        (" `loadInvoiceById()` ", "loadinvoicebyid"),
        ("v1.2.3", "1.2.3"),
        ("drain_queue_slowly", "drain_queue_slowly"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("ZKB118Q", "zkb118q"),
        ("--keep-going", "keep-going"),
        ("config.yaml", "config.yaml"),
        ("SK‑4", "sk-4"),
        *(
            (plain, "")
            for plain in ["valve", "Valve", "IT", "5021", "1,000", "can't", "O'Brien", "监控", "泵", ""]
        ),
        *((several, "") for several in ["ERR-5021 reset", "a b", "???", "x" * 300 + "1"]),
    ],
)
def test_identifier(text: str, whole: str) -> None:
    assert identifier(text) == whole
    assert not whole or whole in document(text)
    assert not whole or whole in query(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('what is "dead head" pressure', ("dead head",)),
        ('"a b" and “c d” 「漏水」『泵』 «e f»', ("a b", "c d", "漏水", "泵", "e f")),
        ('什么是"离心泵"的寿命', ("离心泵",)),
        ('"leave', ()),
        ('""', ()),
        ('" "', ()),
        ('a"b', ()),
        ('"one" and "two', ()),
        ('5" pipe and 6" valve', ()),
        ("", ()),
    ],
)
def test_phrases(text: str, found: tuple[str, ...]) -> None:
    assert phrases(text) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ERR-5021 after the firmware update to v2.31.0", ("err-5021", "2.31.0")),
        ("does ZKB118Q fit, and ZKB118Q too?", ("zkb118q",)),
        ("24h on python3 with utf8 at 5 bar in 2024", ()),
        ("B12, HTTP2 or 1.5 of type A4", ()),
        ("ABCD-EF " + "A1" * 200, ()),
    ],
)
def test_codes_inside_a_question(query: str, found: tuple[str, ...]) -> None:
    assert codes(query) == found
