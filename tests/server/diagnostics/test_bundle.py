import io
import json
import zipfile

from server.diagnostics.bundle import zipped
from tests.ledger.moments import START


def test_a_document_holds_the_characters_of_every_script_and_breaks_on_none() -> None:
    held = {"title": "卧虎藏龙", "odd": "half \ud800 of a pair"}
    packed = zipped({"ledger": held}, "", START, titles=True)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        text = archive.read("ledger.json").decode()
    assert "卧虎藏龙" in text
    assert json.loads(text) == held
