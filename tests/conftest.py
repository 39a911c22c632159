"""Property tests never fail for being slow; where CI is set they try the same examples every time."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("hearts", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("hearts")
