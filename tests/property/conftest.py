"""The `fuzz` profile of Hypothesis, for `make fuzz`: many more examples, no limit on the time of one."""

from hypothesis import settings

settings.register_profile("fuzz", max_examples=2000, deadline=None)
