"""Which files of an import fill slots."""

from capabilities.organize.ground import VIDEO
from capabilities.organize.import_plan import OrganizePlan, PlannedFile
from capabilities.rules.import_plan import Role
from capabilities.rules.works import WorkKind


def filling(wanted: OrganizePlan) -> list[PlannedFile]:
    """Every video; of a film that comes as a disc the biggest file, which stands for the disc.

    The discs of a series fill nothing: nobody knows which episodes are on which.
    """
    videos = [file for file in wanted.files if file.role == VIDEO]
    discs = [file for file in wanted.files if file.role == Role.DISC]
    if videos or not discs or wanted.kind is not WorkKind.FILM:
        return videos
    return [max(discs, key=lambda file: (file.source.size, file.target))]
