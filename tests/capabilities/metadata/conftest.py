"""The staged house."""

from tests.scene import base, scene

__all__ = ["base", "scene"]
