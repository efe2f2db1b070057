"""The hook for commit messages takes short subjects in plain words, and refuses others with a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HOOK = Path(__file__).parent.parent / ".githooks" / "commit-msg"


def commit_msg(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "COMMIT_EDITMSG"
    file.write_text(message, encoding="utf-8")
    return subprocess.run([HOOK, file], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "message",
    [
        "Remove the second router\n\nWhoever reads the body may find any word.\n",
        "é" * 72,
        f"Merge branch '{'a' * 80}'",
        "# a comment of git's\n\nDescribe the untold\n",
    ],
)
def test_a_short_plain_subject_passes(message: str, tmp_path: Path) -> None:
    assert commit_msg(message, tmp_path).returncode == 0


@pytest.mark.parametrize(
    "message", ["x" * 73, "Tell whoever asks", "Return what Hangs on the noise", "Wait so many times"]
)
def test_a_long_or_unclear_subject_is_refused_with_a_reason(message: str, tmp_path: Path) -> None:
    refused = commit_msg(message, tmp_path)
    assert refused.returncode == 1
    assert message in refused.stderr or "Use a plainer word" in refused.stderr
