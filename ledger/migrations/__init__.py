"""Forward-only migrations, run by `ledger.migrate`."""
