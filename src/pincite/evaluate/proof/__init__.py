"""What a finding rests on: the facts of its evidence, and what was tried to prove and to mend it."""
