"""The extra `all` names every other one."""

import re
import tomllib

from support import ROOT


def test_the_extra_all_brings_every_other_one():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (every,) = extras.pop("all")
    assert set(re.fullmatch(r"statera\[(.*)\]", every)[1].split(",")) == set(extras)
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    (own,) = (package for package in locked if package["name"] == "statera")
    assert {*extras, "all"} == set(own["optional-dependencies"])
