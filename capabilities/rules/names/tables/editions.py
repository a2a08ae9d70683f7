"""Spellings of editions, revisions and completeness."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import Edition, Field

_E, _V = Field.EDITION, Field.REVISION

ROWS = (
    weak("extended ext extendida", (_E, Edition.EXTENDED)),
    row(
        "extended-cut extended-edition extended-version extended-dvd extended-collectors-edition",
        (_E, Edition.EXTENDED),
    ),
    row(
        "directors-cut director's-cut director-cut directors-edition director's-edition dircut"
        " director\u2019s-cut directors-version director-s-cut",
        (_E, Edition.DIRECTORS_CUT),
    ),
    weak("directors director's dc", (_E, Edition.DIRECTORS_CUT)),
    weak("theatrical", (_E, Edition.THEATRICAL)),
    row("theatrical-cut theatrical-edition theatrical-version", (_E, Edition.THEATRICAL)),
    weak("unrated unrated-cut unrated-edition unrated-version", (_E, Edition.UNRATED)),
    weak("uncensored", (_E, Edition.UNCENSORED)),
    weak("uncut uncut-edition uncut-version", (_E, Edition.UNCUT)),
    weak("remastered remaster 4k-remastered 4k-remaster", (_E, Edition.REMASTERED)),
    weak("restored restoration 4k-restored 4k-restoration restauriert", (_E, Edition.RESTORED)),
    weak("imax imax-edition imax-enhanced", (_E, Edition.IMAX)),
    weak("criterion criterion-collection criterion-edition cc", (_E, Edition.CRITERION)),
    row(
        "collectors-edition collector's-edition collector-edition collectors-cut"
        " collectors-version collector's-cut",
        (_E, Edition.COLLECTORS),
    ),
    weak("collectors collector's", (_E, Edition.COLLECTORS)),
    row("ultimate-edition ultimate-cut ultimate-version", (_E, Edition.ULTIMATE)),
    row(
        "ultimate-collectors-edition ultimate-collector's-edition",
        (_E, Edition.ULTIMATE),
        (_E, Edition.COLLECTORS),
    ),
    row("special-edition special-cut special-version", (_E, Edition.SPECIAL)),
    weak("limited limited-edition", (_E, Edition.LIMITED)),
    row("deluxe-edition deluxe-version", (_E, Edition.DELUXE)),
    row(
        "anniversary-edition 10th-anniversary 15th-anniversary 20th-anniversary 25th-anniversary"
        " 30th-anniversary 35th-anniversary 40th-anniversary 45th-anniversary 50th-anniversary"
        " 60th-anniversary 75th-anniversary",
        (_E, Edition.ANNIVERSARY),
    ),
    weak("fan-edit fanedit fan-edition fan-cut", (_E, Edition.FAN)),
    row("despecialized despecialised despecialized-edition", (_E, Edition.DESPECIALIZED)),
    weak("final-cut final-edition", (_E, Edition.FINAL_CUT)),
    weak("open-matte openmatte", (_E, Edition.OPEN_MATTE)),
    weak("festival festival-cut festival-edition", (_E, Edition.FESTIVAL)),
    weak("recut re-cut", (_E, Edition.RECUT)),
    weak("redux", (_E, Edition.REDUX)),
    weak(
        "alternate-ending alternative-cut alternate-cut alternate alternative-ending",
        (_E, Edition.ALTERNATE),
    ),
    weak("international-cut international-version", (_E, Edition.INTERNATIONAL)),
    weak("proper", (_V, "proper")),
    weak("repack rerip", (_V, "repack")),
    weak("real", (_V, "real")),
    weak("repack2 proper2", (_V, "repack2")),
    weak("repack3 proper3", (_V, "repack3")),
    weak("v0", (_V, "v0")),
    weak("v1", (_V, "v1")),
    weak("v2", (_V, "v2")),
    weak("v3", (_V, "v3")),
    weak("v4", (_V, "v4")),
    weak(
        "complete the-complete the-complete-series complete-series complete-season"
        " integrale intégrale completa fin end 完 全集 完结"
        " 完結 合集",
        (Field.COMPLETE, "yes"),
    ),
)
