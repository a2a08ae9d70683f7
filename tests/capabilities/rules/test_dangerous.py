import pytest

from capabilities.rules.dangerous import danger


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Sintel/setup.exe", "it is a program"),
        ("Sintel.2010.mkv.exe", "it claims to be a .mkv and is a program"),
        ("x.mp4.EXE", "it claims to be a .mp4 and is a program"),
        ("x.mkv.lnk", "it claims to be a .mkv and is a shortcut"),
        ("x.mkv.scr", "it claims to be a .mkv and is a program"),
        ("x.srt.vbs", "it claims to be a .srt and is a script"),
        ("play.ps1", "it is a script"),
        ("run.bat", "it is a script"),
        ("watch.desktop", "it is a shortcut"),
        ("x.mkv.url", "it claims to be a .mkv and is a shortcut"),
        ("x.mkv            .exe", "it claims to be a .mkv and is a program"),
        ("x.exe. ", "it is a program"),
        ("x.\uff45\uff58\uff45", "it is a program"),
        ("Sintel.mkv.zip", "it claims to be a .mkv video and is an archive"),
        ("Sintel.mp4.rar", "it claims to be a .mp4 video and is an archive"),
        ("Sintel.zipx", "it is a .zipx archive, a format that releases do not use"),
        ("Sintel.arj", "it is a .arj archive, a format that releases do not use"),
        ("Sintel password.zip", "it is an archive that says it needs a password"),
        ("解压密码.rar", "it is an archive that says it needs a password"),
    ],
)
def test_what_runs_or_pretends_is_dangerous(path: str, reason: str) -> None:
    assert danger(path) == reason


@pytest.mark.parametrize("sign", ["\u202e", "\u202d", "\u2066", "\u200f"])
def test_signs_that_turn_the_writing_are_dangerous(sign: str) -> None:
    reason = danger(f"Sintel{sign}4pm.mkv")
    assert reason is not None
    assert "direction" in reason


@pytest.mark.parametrize("path", ["../x.mkv", "a/../../x.mkv", "/etc/x.mkv", "a\\..\\x.mkv"])
def test_a_path_that_leads_out_is_dangerous(path: str) -> None:
    assert danger(path) == "its path leads out of the download folder"


def test_control_signs_are_dangerous() -> None:
    assert danger("x\x00.mkv") == "its name holds control signs"


@pytest.mark.parametrize(
    "path",
    [
        "Sintel.2010.1080p.BluRay.x264-GRP.mkv",
        "Sintel/Subs/2_English.srt",
        "Sintel.nfo",
        "www.example.org.url",
        "Sintel.rar",
        "Sintel.r00",
        "sample.zip",
        "Password.2019.1080p.mkv",
        "README",
        "",
        "Ünïcödé 映画.mkv",
    ],
)
def test_ordinary_files_are_not(path: str) -> None:
    assert danger(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "S/BDMV/JAR/00000.jar",
        "S/bdmv/backup/jar/00001.JAR",
        "S/AACS/Unit_Key_RO.inf",
        "S/AACS/DUPLICATE/Unit_Key_RO.inf",
    ],
)
def test_what_only_the_player_of_a_disc_runs_is_harmless(path: str) -> None:
    assert danger(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "00000.jar",
        "S/JAR/00000.jar",
        "S/BDMV/00000.jar",
        "S/BDMV/JAR/setup.jar",
        "S/BDMV/JAR/00000.jar.exe",
        "Unit_Key_RO.inf",
        "S/AACS/autorun.inf",
        "S/AACS/a/b/Unit_Key_RO.inf",
    ],
)
def test_what_only_looks_like_a_part_of_a_disc_is_dangerous(path: str) -> None:
    assert danger(path) is not None
