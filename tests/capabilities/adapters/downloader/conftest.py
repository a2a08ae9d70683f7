"""Assertions of the shared promises explain themselves, though they are no test module's own."""

import pytest

pytest.register_assert_rewrite("tests.capabilities.adapters.downloader.contract")
