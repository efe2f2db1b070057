"""The files of a release: the client's wheel, and the packages of the server as a bill of materials."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tests.harness.process import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_PINNED_REQUIREMENT = re.compile(r"^([a-z0-9-]+)==([^ ;]+)([^\\\n]*)", re.MULTILINE)


def test_changelog_citation_client_and_server_name_one_version() -> None:
    ours = version("private-posterior")
    assert version("private-posterior-client") == ours
    cited = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {ours}\n" in cited
    dated = re.search(r"^## \[(\d[^]]*)\] - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert dated is not None
    assert dated[1] == ours
    assert f"\ndate-released: {dated[2]}\n" in cited


def test_what_this_version_stores_is_recorded() -> None:
    for kind in ("sqlite", "postgresql"):
        assert (ROOT / "tests" / "released" / version("private-posterior") / kind / "database.sql").is_file()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_release_has_a_wheel_of_the_client_and_the_packages_of_the_server(tmp_path: Path) -> None:
    subprocess.run(["make", "--silent", "release", f"DIST={tmp_path}"], cwd=ROOT, check=True, capture_output=True)
    wheel = next(tmp_path.glob("private_posterior_client-*.whl"))
    assert {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()} == {
        "private_posterior", f"{wheel.name.partition('-py3')[0]}.dist-info"
    }  # fmt: skip
    bill = json.loads((tmp_path / "private-posterior.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    server = bill["metadata"]["component"]
    assert (server["name"], server["version"]) == ("private-posterior", version("private-posterior"))
    listed = {re.sub(r"[-_.]+", "-", each["name"]).lower(): each["version"] for each in bill["components"]}
    pinned = _PINNED_REQUIREMENT.findall((ROOT / "requirements" / "runtime.txt").read_text())
    assert listed.items() <= {(name, number) for name, number, _ in pinned}
    assert {name for name, _, condition in pinned if not condition.strip()} <= listed.keys()
    assert all(each.get("licenses") for each in bill["components"])
