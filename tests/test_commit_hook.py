"""The hook for commit messages takes short subjects in plain words, and refuses others with a reason."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

HOOK = Path(__file__).parent.parent / ".githooks" / "commit-msg"


def commit_msg(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "COMMIT_EDITMSG"
    file.write_text(message, encoding="utf-8")
    return subprocess.run([HOOK, file], capture_output=True, text=True, check=False)


TAKEN = [
    "Remove the second router\n\nWhoever reads the body may find any word.\n",
    "é" * 72,
    f"Merge branch '{'a' * 80}'",
    "# a comment of git's\n\nDescribe the untold\n",
    "Test the retry of a kept answer",
]
REFUSED = [
    "x" * 73,
    "Tell whoever asks",
    "Return what Hangs on the noise",
    "Wait so many times",
    "Keep the exit code",
    "Name the limit",
]


def test_a_long_or_unclear_subject_is_refused_with_a_reason_and_a_short_plain_one_passes(tmp_path: Path) -> None:
    assert [message for message in TAKEN if commit_msg(message, tmp_path).returncode != 0] == []
    for message in REFUSED:
        refused = commit_msg(message, tmp_path)
        assert refused.returncode == 1, message
        assert message in refused.stderr or re.search("Use a plainer word|Begin with", refused.stderr), message
