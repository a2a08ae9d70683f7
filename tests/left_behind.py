"""What processes that died left behind: claims nobody settled, files already placed."""

from datetime import timedelta
from pathlib import Path

from capabilities.kernel.actors import Actor
from capabilities.kernel.targets import Target
from capabilities.organize.import_plan import attempt_token, organize_plan
from capabilities.organize.written import expected
from ledger.clock import new_id
from ledger.stores import approvals, claims
from ledger.stores.approvals import NewApproval, PlanPin
from ledger.stores.claims import Claim
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan
from tests.ledger.rows import new_claim
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
    target = Target("torrent", f"btih:{body['info_hash']}", facts)
    return await _left(scene, row, target, capability=SUBMIT, by=by, authority=yes)


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
    facts = {
        "plan": plan.id,
        "library": body["kind"],
        "mode": body["import"]["mode"],
        "token": attempt_token(plan.id),
        "files": [{**file["source"], "target": file["target"]} for file in body["files"]],
        "written": expected(organize_plan(plan).written),
    }
    target = Target("placements", f"organize:{body['info_hash']}", facts)
    return await _left(scene, plan, target, capability=EXECUTE, by=IMPORT)


async def _left(
    scene: Scene,
    plan: Plan,
    target: Target,
    *,
    capability: str,
    by: Actor,
    authority: str | None = None,
) -> Claim:
    new = new_claim(
        capability=capability,
        actor=str(by),
        principal=by.principal,
        request="before",
        call_id=new_id("call"),
        key=f"plan:{plan.id}:1",
        natural_key=target.natural_key,
        worker="dead",
        target={"kind": target.kind, "natural_key": target.natural_key, "facts": target.facts},
        plan=plan.id,
        plan_hash=plan.payload_hash,
        plan_revision=1,
        authority=authority,
    )
    at = scene.ledger.now()
    claim = await scene.write(lambda tx: claims.claim(tx, new, at))
    await scene.write(lambda tx: claims.disown(tx, scene.ledger.worker))
    return claim
