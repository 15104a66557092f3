"""The letters and characters of languages, most frequent first, and how many bits each is worth.

What tells a text from the same bytes read in another encoding (`plausible`) is which characters it holds:
a frequent one costs few bits, a rare one many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

SIMPLIFIED = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定"
    "行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些"
    "然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公"
    "无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将"
    "组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处世请您安装更换电池说明版本称名号价格元单市省州海北京"
    "王李张刘陈杨黄赵周吴徐孙马朱林华东南安江河湖县镇村街店商售库存金额税款账户型色码箱包袋盒瓶米毫克升斤吨"
)
TRADITIONAL = (
    "的一是不我有在人了這他為來們到時大上個國要以說會就可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多"
    "經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工"
    "使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內"
    "信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安"
    "少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達"
    "光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運電池請您"
    "號稱價元單縣鎮街店商售庫存額稅款帳戶型碼箱包袋盒瓶米毫升斤陳林黃李吳劉蔡楊許鄭謝郭洪曾廖賴徐周葉蘇呂江何羅台灣"
)
KANJI = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西"
    "電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度"
    "強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究"
    "楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯"
    "勉冬昼茶弟牛魚兄犬妹姉漢政議民連対部合市内相定回選米実関決全表戦経最現調化当約首法性要制治務成期取都和機平加受続進数記初"
    "指権支産点報済活原共得解交資予向際勝面告反判認参利組信在件側任引求所次昨論官増係感情投示変打直両式確果容必演歳争談能位置流"
    "格疑過局放常状球職与供役構割身費付由説難優夫収断石違消神番規術備宅害配警育席訪乗残想声念助労例然限追商葉伝働形景落好退頭負渡"
    "失差末守若種美命福望非観察段横深申様財港識呼達良候程満敗値突光路科積他処太客否師登易速存飛殺号単座破除完降責捕危給苦迎園具"
    "辞因馬愛富彼未舞亡冷適婦寄込顔類余王返妻背熱宿薬険頼覚船途許抜便留罪努精散静婚喜浮絶幸押倒等老曲払庭徒勤遅居雑招困欠更刻賛"
    "抱犯恐息遠戻願絵越欲痛笑互束似列探逃遊迷夢君閉緒折草暮酒悲晴掛到寝暗盗吸陽御歯忘雪吹娘誤洗慣礼窓昔貧怒泳祖杯疲皆鳴腹煙眠怖耳頂"
    "県区村郡佐藤鈴木橋伊渡辺村林斎松清阿森池斉坂岡谷崎島原阪神奈埼玉千葉県丁沢桜井宮浜電注文税込在庫価格型番個箱袋本"
)
KANA = "".join(map(chr, (*range(0x3041, 0x3094), *range(0x30A1, 0x30FB), 0x30FC)))
NARROW_KANA = "".join(map(chr, range(0xFF61, 0xFFA0)))
HANGUL = (
    "이다는을의에가고하를은지기로한도리사어아자서나라대시인으과니그있해수정일부들전보와게구제장스여만상원주공조있음없"
    "습세성안비동진우경유화면아문오마소신었계관연생적요개무교중거위미치용방까선내러모모식간년재드업후물학국당산회력려때되된될할함합입설"
    "김박최강윤임송류홍남영민준현은혜숙철호석훈미희순옥북광군읍면로길번호품명격가량판매점합않같트크르레바타파카포코토프브"
)
CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґёъјўљњћђџ"
GREEK = "αοιετσνηυρπκμλςήίάόέώύγδθχφωβξζψϊΐϋΰ"
HEBREW = "יוהלאמרתבשנכםחדקעפצגטסזןךףץ"
ARABIC = "الينمروتبةعدسفهكقحجشطصخذضزثءىغظئأإ،ؤآ؟؛"
# The letters beyond ASCII, one string for each language, those of more texts first.
WESTERN = (
    "üäöß",
    "éèàêçôâîùïœûëüÿæ",
    "áíóéñúü¿¡ªº",
    "ãçáéíóâêúõôàü",
    "àèéìíîòóùú",
    "åäöæøé",
    "íáðóéöþúæý",
    "éëïóüöèê",
)
CENTRAL = ("ąęłóżśćńź", "áíéěýčřšžůúťňďóľôĺŕä", "éáőöóüíúű", "ăîâşţ", "čšžćđ")
BALTIC = ("ėųšžąūįčę", "āīēšņūļžķģč", "äõüöšž")
TURKISH = ("ıüişöçğâîûİ",)
_UPPER = 2.5  # bits of an upper-case letter beyond those of the lower-case one


def letter_bits(letters: str, base: float = 0.0) -> dict[str, float]:
    """The bits of each letter, lower and upper, of an alphabet written most frequent letter first.

    Gusein-Zade's law: the letter of rank r among n has the share ln((n + 1) / r) / n.
    """
    n = len(letters)
    lower = {ch: base - math.log2(math.log((n + 1) / rank) / n) for rank, ch in enumerate(letters, 1)}
    upper = {ch.upper(): bits + _UPPER for ch, bits in lower.items() if len(ch.upper()) == 1}
    return {**upper, **lower}


def share_bits(shares: Mapping[str, float]) -> dict[str, float]:
    """The bits of each character of some groups, each given with the share of a text that it makes up."""
    groups = {chars: math.log2(len(set(chars)) / share) for chars, share in shares.items()}
    return {ch: bits for chars, bits in groups.items() for ch in chars}
