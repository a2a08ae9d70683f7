"""Pure judgement: names, identity, policy, naming. No I/O."""
