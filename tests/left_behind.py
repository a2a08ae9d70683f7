"""What processes that died left behind: claims nobody settled, files already placed."""

from datetime import timedelta
from pathlib import Path

from capabilities.kernel.actors import Actor
from capabilities.organize.import_plan import attempt_token
from ledger.clock import new_id
from ledger.stores import approvals, claims
from ledger.stores.approvals import NewApproval, PlanPin
from ledger.stores.claims import Claim, NewClaim
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan
from tests.scene import IMPORT, KEY, VIDEO, Scene
from world.stage import RELEASE

SUBMIT = "download.submit"
EXECUTE = "organize.execute"


async def approve(scene: Scene, pin: PlanPin) -> str:
    """A yes to a plan as it is pinned here, whatever the plan says."""
    at = scene.ledger.now()
    new = NewApproval(SUBMIT, pin, "key:laptop", None, "call", {}, at + timedelta(days=1))
    id_ = await scene.write(lambda tx: approvals.request(tx, new, at))
    await scene.write(
        lambda tx: approvals.decide(tx, id_, approved=True, by="owner:ada", reason=None, at=at)
    )
    return id_


async def dead_submission(scene: Scene, plan: str, by: Actor = KEY) -> Claim:
    """The claim of a process that died while it submitted this approved plan."""
    row = await scene.plan(plan)
    yes = await approve(scene, row.pin)
    body = row.payload
    facts = {"plan": plan, "info_hash": body["info_hash"], "client": body["client"]}
    key = f"btih:{body['info_hash']}"
    new = NewClaim(
        capability=SUBMIT,
        version=1,
        actor=str(by),
        principal=by.principal,
        run=None,
        request="before",
        call_id=new_id("call"),
        fingerprint="f" * 64,
        key=f"plan:{plan}:1",
        natural_key=key,
        worker="dead",
        target={"kind": "torrent", "natural_key": key, "facts": facts},
        plan=plan,
        plan_hash=row.payload_hash,
        plan_revision=1,
        authority=yes,
    )
    at = scene.ledger.now()
    claim = await scene.write(lambda tx: claims.claim(tx, new, at))
    await scene.write(lambda tx: claims.disown(tx, scene.ledger.worker))
    return claim


async def frozen(scene: Scene, by: Actor = IMPORT, row: DownloadRow | None = None) -> Plan:
    """An organise plan of a download that has arrived."""
    row = row or await scene.arrived()
    answer = await scene.answer("organize.plan", by, download=row.id)
    return await scene.plan(await scene.id_of(answer["plan"], by))


def source_of(scene: Scene, suffix: str = ".mkv") -> Path:
    return scene.folders.downloads / RELEASE / f"{RELEASE}{suffix}"


def place_by_hand(scene: Scene, target: str = VIDEO, suffix: str = ".mkv") -> None:
    there = scene.folders.films / target
    there.parent.mkdir(exist_ok=True)
    there.hardlink_to(source_of(scene, suffix))


async def dead_placing(scene: Scene, plan: Plan) -> Claim:
    """The claim of a process that died while it carried this plan out."""
    body = plan.payload
    key = f"organize:{body['info_hash']}"
    facts = {
        "plan": plan.id,
        "library": body["kind"],
        "mode": body["import"]["mode"],
        "token": attempt_token(plan.id),
        "files": [
            {
                **file["source"],
                "target": file["target"],
            }
            for file in body["files"]
        ],
    }
    new = NewClaim(
        capability=EXECUTE,
        version=1,
        actor=str(IMPORT),
        principal=IMPORT.principal,
        run=None,
        request="before",
        call_id=new_id("call"),
        fingerprint="f" * 64,
        key=f"plan:{plan.id}:1",
        natural_key=key,
        worker="dead",
        target={"kind": "placements", "natural_key": key, "facts": facts},
        plan=plan.id,
        plan_hash=plan.payload_hash,
        plan_revision=1,
        authority=None,
    )
    at = scene.ledger.now()
    claim = await scene.write(lambda tx: claims.claim(tx, new, at))
    await scene.write(lambda tx: claims.disown(tx, scene.ledger.worker))
    return claim
