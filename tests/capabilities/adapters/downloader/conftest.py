"""Assertions of the shared promises explain themselves, though they are no test module's own."""

import pytest

for name in ("contract", "contract_adding", "contract_going_on", "contract_paths"):
    pytest.register_assert_rewrite(f"tests.capabilities.adapters.downloader.{name}")
