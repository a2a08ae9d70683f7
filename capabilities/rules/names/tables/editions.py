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
        "collectors-edition edition-collector collector's-edition collector-edition collectors-cut"
        " collectors-version collector's-cut",
        (_E, Edition.COLLECTORS),
    ),
    weak("collectors collector's collector", (_E, Edition.COLLECTORS)),
    row("ultimate-edition ultimate-cut ultimate-version", (_E, Edition.ULTIMATE)),
    row(
        "ultimate-collectors-edition ultimate-collector's-edition",
        (_E, Edition.ULTIMATE),
        (_E, Edition.COLLECTORS),
    ),
    row("special-edition special-cut special-version edition-special", (_E, Edition.SPECIAL)),
    weak("limited limited-edition", (_E, Edition.LIMITED)),
    row("deluxe-edition deluxe-version", (_E, Edition.DELUXE)),
    weak("deluxe", (_E, Edition.DELUXE)),
    row(
        "anniversary-edition",
        (_E, Edition.ANNIVERSARY),
    ),
    weak("fan-edit fanedit fan-edition fan-cut", (_E, Edition.FAN)),
    row("despecialized despecialised despecialized-edition", (_E, Edition.DESPECIALIZED)),
    weak("final-cut final-edition", (_E, Edition.FINAL_CUT)),
    weak("open-matte openmatte om", (_E, Edition.OPEN_MATTE)),
    weak("festival festival-cut festival-edition", (_E, Edition.FESTIVAL)),
    weak("recut re-cut", (_E, Edition.RECUT)),
    weak("redux", (_E, Edition.REDUX)),
    weak(
        "alternate-ending alternative-cut alternate-cut alternate alternative alternative-ending"
        " alternate-version alternative-version",
        (_E, Edition.ALTERNATE),
    ),
    row(
        "special-extended-edition special-extended extended-special-edition",
        (_E, Edition.EXTENDED),
        (_E, Edition.SPECIAL),
    ),
    row(
        "ultimate-extended-edition ultimate-extended-cut",
        (_E, Edition.EXTENDED),
        (_E, Edition.ULTIMATE),
    ),
    row(
        "special-collectors-edition special-collector's-edition",
        (_E, Edition.COLLECTORS),
        (_E, Edition.SPECIAL),
    ),
    row("definitive-edition definitive-cut", (_E, Edition.DEFINITIVE)),
    row("diamond-edition", (_E, Edition.DIAMOND)),
    row("assembly-cut", (_E, Edition.ASSEMBLY)),
    row("signature-edition", (_E, Edition.SIGNATURE)),
    row("imperial-edition the-imperial-edition", (_E, Edition.IMPERIAL)),
    row("rogue-cut rogue-edition the-rogue-cut", (_E, Edition.ROGUE)),
    weak("superbit", (_E, Edition.SUPERBIT)),
    weak("rifftrax", (_E, Edition.RIFFTRAX)),
    weak("2in1 2-in-1", (_E, Edition.TWO_IN_ONE)),
    weak("3in1 3-in-1", (_E, Edition.THREE_IN_ONE)),
    row(
        "ultimate-fan-edit ultimate-fan-edition ultimate-fan-collection",
        (_E, Edition.ULTIMATE),
        (_E, Edition.FAN),
    ),
    row("despecialized-fan-edit", (_E, Edition.DESPECIALIZED), (_E, Edition.FAN)),
    weak("international-cut international-version", (_E, Edition.INTERNATIONAL)),
    weak("proper", (_V, "proper")),
    weak("repack rerip", (_V, "repack")),
    weak("real", (_V, "real")),
    weak("repack2 proper2 rerip2", (_V, "repack2")),
    weak("repack3 proper3 rerip3", (_V, "repack3")),
    weak("v0", (_V, "v0")),
    weak("v1", (_V, "v1")),
    weak("v2", (_V, "v2")),
    weak("v3", (_V, "v3")),
    weak("v4", (_V, "v4")),
    weak(
        "complete the-complete collection integrale intégrale l'integrale l'intégrale integral"
        " completa complet 全集 合集",
        (Field.COMPLETE, "yes"),
    ),
    row(
        "the-complete-series complete-series complete-collection complete-set"
        " complete-filmography movie-collection the-complete-collection tetralogy pentalogy"
        " hexalogy heptalogy octalogy",
        (Field.COMPLETE, "yes"),
    ),
    weak("fin end 完 完结 完結", (Field.COMPLETE, "end")),
)
