"""The steps of the Dockerfile, run in a directory instead of a container, up to a healthy service."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.test_deployment_files import DOCKERFILE, IMAGE_ENVIRONMENT, ROOT, final


class Image:
    """The content of `/` after the build, under `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        programs = root / "usr" / "local" / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(
            Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        )
        self.environment = {"HOME": str(root), "PATH": f"{programs}:/usr/bin:/bin"}
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}

    def located(self, text: str) -> str:
        """`text` with the absolute paths of the image led below `root`."""
        return re.sub(r"(?<![\w.])/(opt|src|wheels|var/lib)\b", rf"{self.root}/\1", text)

    def build(self) -> None:
        for instruction in (i for i in DOCKERFILE if i.stage == 0):
            match instruction.name:
                case "WORKDIR":
                    self.directory = Path(self.located(instruction.value))
                    self.directory.mkdir()
                case "COPY":
                    *sources, target = instruction.value.split()
                    for source in sources:
                        self.copy(ROOT / source, self.directory / target)
                case "RUN":
                    subprocess.run(
                        ["/bin/sh", "-ec", self.located(instruction.value)],
                        cwd=self.directory,
                        env=self.environment,
                        check=True,
                    )
                case _:
                    assert instruction.name in {"FROM", "ENV"}

    def copy(self, source: Path, target: Path) -> None:
        """As COPY does it: a directory's content, a file into a directory."""
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(exist_ok=True)
            shutil.copy(source, target)


@pytest.mark.long
def test_the_image_serves_and_its_health_check_finds_it_alive(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.build()
    shutil.rmtree(image.directory)

    data = Path(image.located(final("VOLUME")))
    data.mkdir(parents=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {name: image.located(value) for name, value in IMAGE_ENVIRONMENT.items()}
    environment |= {
        "PATH": f"{tmp_path}/opt/venv/bin:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "POSTERIOR_HOST": "127.0.0.1",
        "POSTERIOR_PORT": port,
    }
    program = [str(tmp_path / "opt" / "venv" / "bin" / json.loads(final("ENTRYPOINT"))[0])]
    assert not (tmp_path / "opt" / "venv" / "bin" / "pip").exists()

    subprocess.run([*program, "migrate"], cwd=data, env=environment, check=True)
    check = [
        str(tmp_path / "opt" / "venv" / "bin" / "python"),
        *json.loads(final("HEALTHCHECK").partition("CMD ")[2])[1:],
    ]
    with subprocess.Popen([*program, *json.loads(final("CMD"))], cwd=data, env=environment) as service:
        try:
            deadline = time.monotonic() + 120
            while subprocess.run(check, env=environment, capture_output=True, check=False).returncode:
                assert time.monotonic() < deadline, "the service did not come up"
                assert service.poll() is None, "the service ended"
        finally:
            service.terminate()
    # The server shuts down in order and then dies of the signal, so that its sender sees that it worked.
    assert service.returncode in {0, -signal.SIGTERM}
