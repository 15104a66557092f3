"""Settings from every source: order, trust, types, and messages that name file and key."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pincite.config import ChunkConfig, Config, MetaRule
from pincite.config.keys import known_keys, variable_names
from pincite.config.load import load_config, load_settings
from pincite.config.sources import user_file
from pincite.errors import UsageError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, beside the library and the user's settings."""
    for name in ("library", "user/pincite", "work"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def library(home: Path, text: str) -> Path:
    (home / "library/pincite.toml").write_text(text, "utf-8")
    return home / "library"


def env(home: Path, **names: str) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(home / "user"), **names}


def test_without_any_source_the_defaults_hold(home: Path) -> None:
    assert load_config(home / "library", env=env(home)) == Config()
    assert load_config(None, env=env(home)) == Config()


def test_later_sources_win(home: Path) -> None:
    root = library(home, "[search]\ndepth = 1\nrrf_k = 1\n[context]\nbudget = 1\nsmall = 1\n")
    (home / "user/pincite/config.toml").write_text("[search]\nrrf_k = 2\n[context]\nbudget = 2\nsmall = 2\n")
    names = env(home, PINCITE_CONTEXT_BUDGET="3", PINCITE_CONTEXT_SMALL="3")
    settings = load_settings(root, env=names, overrides={"context.small": 4})
    taken = {
        key: (settings[key].value, settings[key].source)
        for key in sorted(settings)
        if key in ("search.depth", "search.rrf_k", "context.budget", "context.small", "context.neighbours")
    }
    assert taken == {
        "context.budget": (3, "environment PINCITE_CONTEXT_BUDGET"),
        "context.neighbours": (1, "default"),
        "context.small": (4, "a flag"),
        "search.depth": (1, str(root / "pincite.toml")),
        "search.rrf_k": (2, str(home / "user/pincite/config.toml")),
    }


def test_every_kind_of_value_is_read(home: Path) -> None:
    root = library(
        home,
        """
        stemmers = ["english", "german"]
        lock_wait = 2
        [sync]
        include = ["**/*.log"]
        hidden = true
        [[sync.meta]]
        paths = ["guide/**"]
        set = {team = "docs", since = 2024-05-01, tags = ["a", "b"], draft = false, level = 2}
        [chunk]
        size = 300
        [chunk.markdown]
        overlap = 20
        [chunk.python]
        strategy = "tokens"
        size = 100
        [search]
        lexical_weight = 1
        [model]
        query_prefix = "query: "
    """,
    )
    config = load_config(root, env=env(home))
    assert config.stemmers == ("english", "german")
    assert config.lock_wait == 2.0 and isinstance(config.lock_wait, float)
    assert config.sync.include == ("**/*.log",) and config.sync.hidden
    rule = {"team": "docs", "since": date(2024, 5, 1), "tags": ("a", "b"), "draft": False, "level": 2}
    assert config.sync.meta == (MetaRule(("guide/**",), rule),)
    assert config.chunk_for == {
        "markdown": ChunkConfig(size=300, overlap=20),
        "python": ChunkConfig(strategy="tokens", size=100),
    }
    assert config.search.lexical_weight == 1.0
    assert config.model.query_prefix == "query: "


def test_variables_are_converted_and_empty_ones_are_not_set(home: Path) -> None:
    names = env(
        home,
        PINCITE_SYNC_EXCLUDE="a/**, b/**",
        PINCITE_SYNC_HIDDEN="yes",
        PINCITE_SEARCH_FEEDBACK=".4",
        PINCITE_MODEL="english",
        PINCITE_SEARCH_DEPTH="",
        PINCITE_DEBUG="1",
        PINCITE_STEMMERS="german",
    )
    config = load_config(None, env=names)
    assert config.sync.exclude == ("a/**", "b/**") and config.sync.hidden
    assert (config.search.feedback, config.search.depth) == (0.4, 100)
    assert (config.model.name, config.stemmers) == ("english", ("german",))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[sync]\nincludes = []", ["unknown setting sync.includes", "did you mean sync.include?"]),
        ("[serach]\nk = 1", ["unknown setting serach", "search"]),
        ("colour = 1", ["unknown setting colour"]),
        ("sync = 3", ["sync: expected a table [sync], got 3"]),
        ("[sync]\ngitignore = 1", ["sync.gitignore: expected true or false, got 1"]),
        ("[sync]\ninclude = '*.md'", ["sync.include: expected a list of strings, got '*.md'"]),
        ("[sync]\ninclude = [1]", ["sync.include: expected a string, got 1"]),
        ("[search]\ndepth = '9'", ["search.depth: expected a whole number, got '9'"]),
        ("[search]\ndepth = true", ["search.depth: expected a whole number, got True"]),
        ("[search]\ndepth = 0", ["search.depth: expected 1 to 1,000,000, got 0"]),
        ("[search]\nfeedback = nan", ["search.feedback: expected a number, got nan"]),
        ("[search]\nfusion = 'sum'", ["search.fusion: expected rrf or convex, got 'sum'"]),
        ("[search]\nlegs = []", ["search.legs: expected lexical, dense or both"]),
        ("[chunk]\noverlap = 384", ["chunk.overlap (384) must be smaller than chunk.size (384)"]),
        ("[chunk.markdown]\noverlap = 400", ["chunk.markdown.overlap (400) must be smaller"]),
        ("[chunk.markdown]\nsizes = 4", ["unknown setting chunk.markdown.sizes"]),
        ("[[sync.meta]]\npaths = ['a']", ["sync.meta: expected paths = [...] and set = {...}"]),
        ("[[sync.meta]]\npaths = ['a']\nset = {at = 07:30:00}", ["sync.meta.set.at: expected a string"]),
        ("lock_wait = -1", ["lock_wait: expected 0 to 86,400, got -1.0"]),
        ("[sync]\nx = [1", ["not valid TOML"]),
        ("x = " + "[" * 5000, ["not valid TOML"]),
    ],
)
def test_a_wrong_file_is_refused_with_file_key_expected_and_got(
    home: Path, text: str, words: list[str]
) -> None:
    root = library(home, text)
    with pytest.raises(UsageError) as error:
        load_config(root, env=env(home))
    assert str(root / "pincite.toml") in error.value.message
    for word in words:
        assert word in error.value.message


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PINCITE_SEARCH_DEPTH", "many", ["PINCITE_SEARCH_DEPTH", "expected a whole number, got 'many'"]),
        ("PINCITE_SYNC_HIDDEN", "perhaps", ["PINCITE_SYNC_HIDDEN", "expected true or false"]),
        ("PINCITE_SEARCH_DEPHT", "5", ["PINCITE_SEARCH_DEPHT", "did you mean PINCITE_SEARCH_DEPTH?"]),
        ("PINCITE_FOO", "1", ["PINCITE_FOO: no such setting; known: PINCITE_MODEL"]),
        ("PINCITE_MODLE", "english", ["PINCITE_MODLE: no such setting; did you mean PINCITE_MODEL?"]),
        ("PINCITE_STEMERS", "german", ["did you mean PINCITE_STEMMERS?"]),
        ("PINCITE_LLM_TIMEOUT", "inf", ["PINCITE_LLM_TIMEOUT", "expected a number"]),
        (
            "PINCITE_CONTEXT_BUDGET",
            "-1",
            ["PINCITE_CONTEXT_BUDGET", "context.budget: expected 0 to 100,000,000"],
        ),
        ("PINCITE_CONTEXT_NEIGHBOURS", "9" * 20, ["PINCITE_CONTEXT_NEIGHBOURS", "expected 0 to 1,000,000"]),
        ("PINCITE_CONTEXT_SMALL", "9" * 20, ["context.small: expected 0 to 1,000,000"]),
        ("PINCITE_CHUNK_SIZE", "9" * 20, ["chunk.size: expected 1 to 1,000,000"]),
        ("PINCITE_CHUNK_PARENT_SIZE", "9" * 20, ["chunk.parent_size: expected 1 to 1,000,000"]),
        ("PINCITE_SEARCH_FEEDBACK", "1e300", ["search.feedback: expected 0 to 1,000, got a larger number"]),
        ("PINCITE_SEARCH_DENSE_WEIGHT", "1e300", ["search.dense_weight: expected 0 to 1,000,000"]),
        ("PINCITE_SEARCH_DEPTH", "9" * 20, ["search.depth: expected 1 to 1,000,000"]),
        ("PINCITE_SEARCH_RRF_K", "9" * 20, ["search.rrf_k: expected 0 to 1,000,000"]),
        ("PINCITE_LLM_TIMEOUT", "1e300", ["PINCITE_LLM_TIMEOUT", "llm.timeout: expected 0.1 to 86,400"]),
        ("PINCITE_LOCK_WAIT", "1e300", ["lock_wait: expected 0 to 86,400"]),
        ("PINCITE_MODEL", "x" * 5000, ["PINCITE_MODEL", "model.name: expected up to 1,000 characters"]),
    ],
)
def test_a_wrong_variable_is_refused_by_name(home: Path, name: str, value: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        load_config(None, env=env(home, **{name: value}))
    for word in words:
        assert word in error.value.message


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[llm]\nbase_url = 'http://evil.example'", "llm.base_url"),
        ("[llm]\ntimeout = 3.0", "llm.timeout"),
        ("[model]\nbase_url = 'http://evil.example'", "model.base_url"),
        ("[model]\napi_key = 'sk-mine'", "model.api_key"),
        ("[model]\nname = 'api:text-embedding-3-small'", "model.name"),
        ("[model]\nname = 'st:./weights'", "model.name"),
        ("[model]\nname = './weights'", "model.name"),
        ("[parse]\nocr = 'tesseract'", "parse.ocr"),
    ],
)
def test_a_library_may_not_name_endpoints_keys_or_code(home: Path, text: str, key: str) -> None:
    root = library(home, text)
    with pytest.raises(UsageError, match="a library may not set") as error:
        load_config(root, env=env(home))
    assert key in error.value.message and str(root / "pincite.toml") in error.value.message
    (home / "user/pincite/config.toml").write_text(text)
    (root / "pincite.toml").unlink()
    assert load_config(root, env=env(home)) != Config()


def test_a_library_may_choose_a_bundled_or_pulled_model(home: Path) -> None:
    for name in ("english", "multilingual", "hub:intfloat/e5-small"):
        assert load_config(library(home, f"[model]\nname = '{name}'"), env=env(home)).model.name == name


def test_openai_names_are_used_where_nothing_more_special_is_set(home: Path) -> None:
    openai = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "http://a/v1"}
    llm = load_config(None, env=env(home, **openai)).llm
    assert (llm.api_key, llm.base_url) == ("sk-1", "")
    llm = load_config(None, env=env(home, **openai, PINCITE_LLM_MODEL="m")).llm
    assert (llm.model, llm.base_url) == ("m", "http://a/v1")
    llm = load_config(
        None, env=env(home, **openai, PINCITE_LLM_MODEL="m", PINCITE_LLM_BASE_URL="http://b")
    ).llm
    assert llm.base_url == "http://b"
    assert "sk-1" not in repr(load_config(None, env=env(home, **openai)))
    model = load_config(None, env=env(home, **openai)).model
    assert (model.api_key, model.base_url) == ("sk-1", "http://a/v1")
    model = load_config(None, env=env(home, **openai, PINCITE_EMBED_BASE_URL="http://b")).model
    assert model.base_url == "http://b"


def test_dotenv_in_the_current_folder(home: Path) -> None:
    Path(".env").write_text(
        "# keys\nexport PINCITE_LLM_MODEL='small model' # comment\nOPENAI_API_KEY=\"sk#2\"\n"
        "PINCITE_LLM_BASE_URL=http://x/#y # z\nPATH=/evil\nnonsense\nPINCITE_SEARCH_DEPTH=7\n"
    )
    config = load_config(home / "library", env=env(home, PINCITE_SEARCH_DEPTH="8"))
    assert (config.llm.model, config.llm.api_key, config.llm.base_url) == (
        "small model",
        "sk#2",
        "http://x/#y",
    )
    assert config.search.depth == 8


@pytest.mark.parametrize("inside", [".", "sub"])
def test_dotenv_of_the_library_is_never_read(
    home: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    here = home / "library" / inside
    here.mkdir(exist_ok=True)
    (here / ".env").write_text("PINCITE_LLM_BASE_URL=http://evil.example\nPINCITE_LLM_MODEL=m\n")
    monkeypatch.chdir(here)
    (home / "alias").symlink_to(home / "library")
    for root in (Path("/") / home / "library", home / "alias"):
        assert load_config(root, env=env(home)) == Config()


def test_an_open_quote_in_dotenv_is_named_without_its_value(home: Path) -> None:
    Path(".env").write_text("A=1\nOPENAI_API_KEY='sk-secret\n")
    with pytest.raises(UsageError, match=r"\.env line 2, OPENAI_API_KEY") as error:
        load_config(None, env=env(home))
    assert "sk-secret" not in error.value.message


def test_a_key_of_a_wrong_type_is_not_shown(home: Path) -> None:
    (home / "user/pincite/config.toml").write_text("[llm]\napi_key = 123456789\n")
    with pytest.raises(UsageError, match=r"llm\.api_key: expected a string") as error:
        load_config(None, env=env(home))
    assert "123456789" not in error.value.message


def test_a_settings_file_that_is_no_text_file_is_named(home: Path) -> None:
    root = home / "library"
    (root / "pincite.toml").mkdir()
    with pytest.raises(UsageError, match=r"pincite\.toml: expected a text file"):
        load_config(root, env=env(home))
    (root / "pincite.toml").rmdir()
    (root / "pincite.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"pincite\.toml: not UTF-8"):
        load_config(root, env=env(home))
    (root / "pincite.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(UsageError, match="at most 1,000,000 bytes"):
        load_config(root, env=env(home))


def test_unknown_or_wrong_overrides_are_refused(home: Path) -> None:
    with pytest.raises(UsageError, match=r"a flag: unknown setting model\.nmae; did you mean model\.name"):
        load_config(None, env=env(home), overrides={"model.nmae": "english"})
    with pytest.raises(UsageError, match=r"a flag: model\.name: expected a string, got 3"):
        load_config(None, env=env(home), overrides={"model.name": 3})


@pytest.mark.parametrize(
    "name", ["PINCITE_DEBUG", "PINCITE_DATA", "PINCITE_GOLDEN", "PINCITER", "MY_PINCITE_X"]
)
def test_variables_that_are_no_settings_are_left_be(home: Path, name: str) -> None:
    assert load_config(None, env=env(home, **{name: "1"})) == Config()


def test_a_relative_user_folder_is_not_used(home: Path) -> None:
    assert user_file({"XDG_CONFIG_HOME": "library", "HOME": "/h"}) == Path("/h/.config/pincite/config.toml")


def test_every_setting_but_path_rules_has_a_variable() -> None:
    assert set(variable_names().values()) == set(known_keys()) - {"sync.meta"}
