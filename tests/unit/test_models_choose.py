"""Languages are detected, English is not misread, and the model follows the collection."""

from __future__ import annotations

import pytest

from pincite.config import SearchConfig
from pincite.models import choose_model, detect_language, profile
from pincite.models.choose import TEXTS, sample_of, spaced

ENGLISH = (
    "The battery compartment is sealed with a rubber gasket. Wait for 24 hours after you replace the "
    "battery before the device is immersed, and check that the cover is closed."
)
LANGUAGES = {
    "de": "Die Batterie muss vor dem Eintauchen geladen sein, und der Deckel wird fest geschlossen.",
    "fr": "L'appareil ne doit pas être immergé juste après le remplacement de la batterie.",
    "es": "El dispositivo no debe sumergirse justo después de cambiar la batería del equipo.",
    "it": "Il dispositivo non deve essere immerso subito dopo la sostituzione della batteria.",
    "pt": "O dispositivo não deve ser submerso logo após a substituição da bateria do aparelho.",
    "nl": "Het apparaat mag niet direct na het vervangen van de batterij worden ondergedompeld.",
    "pl": "Urządzenia nie należy zanurzać w wodzie bezpośrednio po wymianie baterii.",
    "tr": "Cihaz pil değişiminden hemen sonra suya batırılmamalıdır, kapağı kapatın.",
    "vi": "Thiết bị không được ngâm nước ngay sau khi thay pin, hãy đợi một ngày.",
    "ru": "Не погружайте устройство в воду сразу после замены батареи, подождите сутки.",
    "uk": "Не занурюйте пристрій у воду відразу після заміни батареї, зачекайте добу.",
    "ar": "لا تغمر الجهاز في الماء مباشرة بعد استبدال البطارية وانتظر يوما كاملا",
    "zh": "更换电池后请勿立即浸水",
    "ja": "電池を交換した直後に水に入れないでください",
    "ko": "배터리 교체 직후 물에 담그지 마십시오",
    "th": "อย่าแช่น้ำทันทีหลังเปลี่ยนแบตเตอรี่",
    "el": "Μην βυθίζετε τη συσκευή στο νερό",
    "en": ENGLISH,
}
NOT_PROSE = {
    "code": "def parse(path):\n    with open(path) as file:\n        return [row for row in file]\n" * 5,
    "javascript": "const fs = require('fs'); module.exports = {foo, bar}; items.map(q => q.id);\n" * 8,
    "log": "2026-05-01 12:00:01 INFO nginx worker[123] started pid=88 upstream=10.0.0.1 status=200\n" * 10,
    "sql": "SELECT id, name FROM users WHERE deleted_at IS NULL ORDER BY created_at DESC LIMIT 10;\n" * 5,
    "json": '{"id": 17, "sku": "GX-200", "qty": 4, "status": "open", "warehouse": "B7"}\n' * 10,
    "names": "Kowalski Schmidt Müller García Hernández Rossi Bianchi Dupont Jansen Novak",
    "parts": "battery seal firmware ERR-5021 torque gasket valve pressure sensor housing clamp bolt",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_language(code: str) -> None:
    assert detect_language(LANGUAGES[code]) == code


@pytest.mark.parametrize("kind", NOT_PROSE)
def test_what_is_no_prose_is_not_foreign(kind: str) -> None:
    assert detect_language(NOT_PROSE[kind]) in ("", "en")


@pytest.mark.parametrize("text", ["", " \n", "123 456", "🙂🙂", "Wartung", "———"])
def test_too_little_to_tell(text: str) -> None:
    assert detect_language(text) == ""


def test_the_main_language_of_a_mixed_text() -> None:
    assert detect_language("运行 pip install pincite 安装，然后执行 pincite sync docs/ 建立索引。") == "zh"
    assert detect_language(ENGLISH + " The label reads 注意.") == "en"
    assert detect_language("The angles α, β and γ are given in the table that follows this one.") == "en"


@pytest.mark.parametrize("code", sorted(set(LANGUAGES) - {"en"}))
def test_a_collection_in_another_language_is_multilingual(code: str) -> None:
    assert choose_model([LANGUAGES[code]]) == "multilingual"


def test_english_with_code_is_english() -> None:
    assert choose_model([ENGLISH, *NOT_PROSE.values()]) == "english"
    assert choose_model([]) == "english"
    assert choose_model(["", "12"]) == "english"


def test_a_tenth_decides() -> None:
    letters = sum(map(str.isalpha, ENGLISH))
    below, above = "中" * (letters // 10), "中" * (letters // 9 + 1)
    assert choose_model([ENGLISH + below]) == "english"
    assert choose_model([ENGLISH + above]) == "multilingual"
    assert choose_model([ENGLISH] * 12 + [LANGUAGES["de"]]) == "english"
    assert choose_model([ENGLISH] * 4 + [LANGUAGES["de"]]) == "multilingual"


def test_the_sample_is_bounded_and_spread() -> None:
    assert spaced(str(i) for i in range(5)) == ["0", "1", "2", "3", "4"]
    many = spaced(str(i) for i in range(100_000))
    assert TEXTS <= len(many) < 2 * TEXTS
    assert int(many[-1]) > 99_000 and int(many[1]) - int(many[0]) == int(many[-1]) - int(many[-2])
    assert len(sample_of("x" * 10_000_000)) <= 1502
    # Half of a long collection is Chinese, and it stands at the end.
    assert choose_model([ENGLISH] * 3000 + [LANGUAGES["zh"] * 5] * 3000) == "multilingual"


def test_profiles() -> None:
    english, multilingual = profile("english"), profile("multilingual")
    assert (english.lexical_weight, english.dense_weight) == (0.5, 0.5) and english.feedback > 0
    assert (multilingual.lexical_weight, multilingual.dense_weight, multilingual.feedback) == (0.6, 0.4, 0.0)
    other = profile("hub:some/model")
    assert (other.lexical_weight, other.dense_weight, other.feedback) == (0.5, 0.5, english.feedback)
    assert english.reads("Größe 42") and not english.reads("更换电池") and multilingual.reads("更换电池")
    assert other.reads("更换电池")  # what a model of one's own reads is not known here
    mine = profile("english", SearchConfig(lexical_weight=0.0, feedback=0.0))
    assert (mine.lexical_weight, mine.dense_weight, mine.feedback) == (0.0, 0.5, 0.0)
