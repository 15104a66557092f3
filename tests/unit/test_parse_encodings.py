"""Which encoding is told from the bytes alone: sentences, names and prices of 1, 3 and 20 lines."""

from __future__ import annotations

import random

import pytest

from pincite.errors import InputError
from pincite.parse.decode import decode

# language → (encodings, sentences, rows of names, rows of products)
TEXTS: dict[str, tuple[str, list[str], list[str], list[str]]] = {
    "simplified Chinese": (
        "gb18030",
        ["会议改到星期三下午三点。", "电源线必须由专业电工连接，请勿自行拆卸。", "木桶每周用清水冲洗一次。"],
        ["编号,姓名,城市", "1,欧阳婉婷,苏州", "2,薛晓燕,哈尔滨"],
        ["A01,桦木束,35元", "A02,精油,298元", "A03,毛巾,14元"],
    ),
    "traditional Chinese": (
        "big5",
        ["會議改到星期三下午三點。", "電源線必須由專業電工連接，請勿自行拆卸。", "木桶每週用清水沖洗一次。"],
        ["編號,姓名,城市", "1,歐陽婉婷,高雄市", "2,薛曉燕,臺南市"],
        ["A01,樺木束,350元", "A02,精油一瓶,298元", "A03,白色毛巾,140元"],
    ),
    "Japanese": (
        "cp932 euc_jp",
        [
            "会議は水曜日の午後三時に変更されました。",
            "電源コードは必ず接地してください。",
            "桶は毎週水で洗う。",
        ],
        ["番号,氏名,都市", "1,佐々木健太,横浜市", "2,小林美咲,札幌市"],
        ["A01,白樺の束,350円", "A02,精油セット,2980円", "A03,タオル,140円"],
    ),
    "Korean": (
        "cp949",
        [
            "회의는 수요일 오후 세 시로 변경되었습니다.",
            "전원선은 전문가가 연결해야 합니다.",
            "나무통은 매주 씻습니다.",
        ],
        ["번호,이름,도시", "1,김민준,부산광역시", "2,박서연,인천광역시"],
        ["A01,자작나무 묶음,3500원", "A02,정유 세트,29800원", "A03,하얀 수건,1400원"],
    ),
    "Russian": (
        "cp1251 koi8_r cp866",
        ["Совещание перенесено на среду.", "Кабель должен подключать электрик.", "Бочку моют раз в неделю."],
        ["Номер;Имя;Город", "1;Щербакова Юлия;Екатеринбург", "2;Фёдоров Пётр;ТУЛА"],
        ["А01;Веник берёзовый;350 руб.", "А02;Эфирное масло;298 руб.", "А03;Полотенце;140 руб."],
    ),
    "Ukrainian": (
        "cp1251 koi8_u",
        [
            "Нараду перенесено на середу.",
            "Кабель має під'єднати електрик.",
            "Діжку миють щотижня її власники.",
        ],
        ["Номер;Ім'я;Місто", "1;Щербак Юлія;Київ", "2;Єфименко Їжакевич;Чернівці"],
        ["А01;Віник березовий;350 грн", "А02;Ефірна олія;298 грн", "А03;Рушник білий;140 грн"],
    ),
    "Greek": (
        "cp1253",
        [
            "Η συνάντηση μεταφέρθηκε στην Τετάρτη.",
            "Το καλώδιο συνδέεται από ηλεκτρολόγο.",
            "Πλένεται κάθε μήνα.",
        ],
        ["Αριθμός;Όνομα;Πόλη", "1;Γιώργος Παπαδόπουλος;Θεσσαλονίκη", "2;Ελένη Ψαρρού;ΠΑΤΡΑ"],
        ["Α01;Κλαδιά σημύδας;35 €", "Α02;Αιθέριο έλαιο;29 €", "Α03;Πετσέτα;14 €"],
    ),
    "Hebrew": (
        "cp1255",
        [
            "הישיבה נדחתה ליום רביעי בשעה שלוש.",
            "את הכבל מחבר חשמלאי מוסמך בלבד.",
            "את החבית שוטפים פעם בשבוע.",
        ],
        ["מספר,שם משפחה,עיר מגורים", "1,כהן אברהם,תל אביב", "2,פרידמן שרה,ירושלים"],
        ["A01,ענפי ליבנה,35", "A02,שמן ארומטי טהור,298", "A03,מגבת לבנה,14"],
    ),
    "Arabic": (
        "cp1256",
        ["تم تأجيل الاجتماع إلى يوم الأربعاء.", "يجب أن يوصل الكهربائي السلك.", "يغسل البرميل مرة كل أسبوع."],
        ["الرقم,الاسم,المدينة", "1,محمد عبد الله,الرياض", "2,فاطمة الزهراء,جدة"],
        ["A01,حزمة البتولا,35", "A02,زيت عطري,298", "A03,منشفة بيضاء,14"],
    ),
    "Polish": (
        "cp1250 iso8859_2",
        [
            "Zebranie przełożono na środę.",
            "Kabel powinien podłączyć elektryk z uprawnieniami, żeby było bezpiecznie.",
            "Beczkę myje się częściej, w każdą sobotę.",
        ],
        ["Numer;Imię;Miejscowość", "1;Łukasz Dąbrowski;Łódź", "2;Małgorzata Wiśniewska;Częstochowa"],
        ["A01;Wiązka brzozowa, świeża;35 zł", "A02;Olejek różany;29 zł", "A03;Ręcznik łazienkowy;14 zł"],
    ),
    "Czech": (
        "cp1250 iso8859_2",
        [
            "Schůze byla přeložena na středu.",
            "Kabel musí připojit odborník, ručí za něj výrobce.",
            "Sud se čistí každý týden.",
        ],
        ["Číslo;Příjmení;Město", "1;Jiří Dvořák;Plzeň", "2;Růžena Černá;Příbram"],
        ["A01;Březová větvička;350 Kč", "A02;Éterický olej, růže;298 Kč", "A03;Ručník žlutý;140 Kč"],
    ),
    "German": (
        "cp1252 mac_roman cp850",
        [
            "Die Prüfung findet täglich statt; die Gebühr für Gäste ist fällig.",
            "Das Gehäuse gehört geöffnet und jährlich überprüft.",
            "Die Fässer müssen wöchentlich gespült werden.",
        ],
        [
            "Nummer;Name;Straße;Gebäude für Gäste",
            "1;Jürgen Müller;Köln;Königsplätze",
            "2;Käthe Schröder;Düsseldorf;Möhlstraße",
        ],
        [
            "A01;Birkenbüschel, getränkt;35 Stück",
            "A02;Ätherisches Öl für Aufgüsse;29 Stück",
            "A03;Badetücher, größer;14 Stück",
        ],
    ),
    "French": (
        "cp1252 mac_roman",
        [
            "La réunion a été déplacée à mercredi.",
            "Le câble doit être raccordé par un électricien agréé.",
            "Le tonneau est rincé à l’eau, même l’été.",
        ],
        ["Numéro;Prénom;Société", "1;Hélène Lefèvre;Sociétés réunies", "2;André Bézier;Générale des étés"],
        [
            "A01;Bottes de bouleau séché, arrosées;35",
            "A02;Huile éthérée, dosée;29",
            "A03;Serviette brodée, rosée;14",
        ],
    ),
    "Lithuanian": (
        "cp1257",
        [
            "Susirinkimas perkeltas į trečiadienį, žiūrėkite naują sąrašą.",
            "Laidą turi prijungti elektrikas, kad būtų saugu.",
            "Statinė plaunama kiekvieną savaitę, ją džiovina.",
        ],
        [
            "Numeris;Vardas;Gyvenamoji vietovė, gatvė",
            "1;Žydrūnė Šeškutė;Šiauliai",
            "2;Jūratė Grigaitė;Panevėžys",
        ],
        [
            "A01;Beržinė vanta, šviežia;35",
            "A02;Eterinis rožių aliejus, tyras;29",
            "A03;Rankšluostis, žalsvas, siūtas;14",
        ],
    ),
    "Turkish": (
        "cp1254",
        [
            "Toplantı çarşamba gününe alındı.",
            "Kabloyu yalnızca yetkili elektrikçi bağlamalıdır.",
            "Fıçı haftada bir kez yıkanır, şişeler de öyle.",
        ],
        ["Sıra;Adı;Şehir ve ilçesi", "1;Ayşe Yıldırım;Diyarbakır", "2;İbrahim Çağlar Şahin;Muğla"],
        [
            "A01;Huş ağacı dalı;35 lira",
            "A02;Uçucu yağ şişesi;29 lira",
            "A03;Banyo havlusu, sarı çizgili, kalın;14 lira",
        ],
    ),
}
KINDS = ("sentences", "names", "products")
CASES = [
    pytest.param(lines, encoding, id=f"{language}-{encoding}-{kind}")
    for language, (encodings, *groups) in TEXTS.items()
    for encoding in encodings.split()
    for kind, lines in zip(KINDS, groups, strict=True)
]


@pytest.mark.parametrize(("lines", "encoding"), CASES)
def test_texts_of_one_three_and_twenty_lines_are_read_right(lines: list[str], encoding: str) -> None:
    many = [lines[i % 3] for i in range(20)]
    for text in (*lines, "\n".join(lines), "\r\n".join(many)):
        assert decode(text.encode(encoding), uri="a.csv").text == text


def test_a_few_signs_or_a_stray_letter_make_english_text_western() -> None:
    for text in ("It’s a test – 5 °C, © 2020", "• one\n• two", "café", "naïve", "a 5 £ note"):
        assert decode(text.encode("cp1252"), uri="a.txt").text == text


def test_bytes_that_are_no_text_in_any_encoding_are_refused() -> None:
    chosen = random.Random(7)
    for lowest in (0x80, 0xA0, 0xC0):
        letters = [*range(0x20, 0x7F), *range(lowest, 0x100)]
        noise = bytes(chosen.choice(letters) for _ in range(2_000))
        with pytest.raises(InputError, match=r"a\.txt: no encoding fits: not UTF-8 \(wrong at byte \d+\)"):
            decode(noise, uri="a.txt")


def test_a_few_bytes_without_a_meaning_make_no_text_noise() -> None:
    line = b"The pump is checked every week by the crew of the pier.\n"
    data = line * 100 + b"\xfe\xb5\xd7\n" + line * 100 + b"\xff\xa7\xfe\n" + line * 100
    assert decode(data, uri="a.log").text.count("checked every week") == 300


@pytest.mark.parametrize("codec", ["cp737", "cp874"])
def test_encodings_that_are_not_guessed_are_refused_rather_than_misread(codec: str) -> None:
    texts = {
        "cp737": "Η συσκευή μπορεί να βυθιστεί αμέσως μετά την αλλαγή.",
        "cp874": "ร้านเปิดเวลาเก้าโมงเช้า วันนี้อากาศดีมาก",
    }
    with pytest.raises(InputError, match="no encoding fits"):
        decode((texts[codec] + "\n").encode(codec) * 3, uri="a.txt")
