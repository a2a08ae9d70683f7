"""Names of months in the languages of release names."""

from typing import Final

_NAMES: Final = (
    "jan january janvier januar enero gennaio",
    "feb february fevrier février februar febrero febbraio",
    "mar march mars märz marzo",
    "apr april avril abril aprile",
    "may mai mayo maggio",
    "jun june juin juni junio giugno",
    "jul july juillet juli julio luglio",
    "aug august aout août agosto",
    "sep sept september septembre septiembre settembre",
    "oct october octobre oktober octubre ottobre",
    "nov november novembre noviembre",
    "dec december decembre décembre dezember diciembre dicembre",
)
MONTHS: Final = {
    name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()
}
