"""Servers of databases of the tests' own, and files of SQL."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grapher_jax.corpus import read_database

sys.path.append(str(Path(__file__).parent))


def open_to_all(folder):
    """Let other users reach a folder of pytest's."""
    # Tests in several processes have a folder of each process's own in between.
    for place in (folder, *folder.parents[:3]):
        # Nothing is taken away: of a short --basetemp one of them may be /tmp.
        place.chmod(place.stat().st_mode | 0o055)
        if place.name.startswith("pytest-of-"):
            break


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory):
    """A PostgreSQL server of this test's own, on a socket in a temporary folder."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not binaries:
        pytest.skip("no PostgreSQL server is installed")
    folder = tmp_path_factory.mktemp("postgresql")
    open_to_all(folder)
    as_user = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        shutil.chown(folder, "postgres", "postgres")
        as_user = {"user": "postgres"}
    run = {"check": True, "capture_output": True, "cwd": folder, **as_user}
    data, control = folder / "data", str(binaries[-1] / "pg_ctl")
    subprocess.run([binaries[-1] / "initdb", "-D", data, "-A", "trust", "-U", "tester"], **run)
    options = f"-k {folder} -c listen_addresses=''"
    subprocess.run([control, "-D", data, "-w", "-l", folder / "log", "-o", options, "start"], **run)
    yield f"postgresql+psycopg://tester@/postgres?host={folder}"
    subprocess.run([control, "-D", data, "-m", "immediate", "stop"], **run)


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory):
    """A MariaDB server of this test's own, on a socket in a temporary folder."""
    server = shutil.which("mariadbd", path=f"{os.environ['PATH']}:/usr/sbin")
    if not server:
        pytest.skip("no MariaDB server is installed")
    pytest.importorskip("pymysql")
    folder = tmp_path_factory.mktemp("mariadb")
    open_to_all(folder)
    user = []
    if os.geteuid() == 0:
        # MariaDB refuses to run as root unless it is told to.
        shutil.chown(folder, "mysql", "mysql")
        user = ["--user=mysql"]
    data, socket = folder / "data", folder / "socket"
    install = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--skip-test-db", *user]
    install += ["--auth-root-authentication-method=normal"]
    subprocess.run(install, check=True, capture_output=True)
    command = [server, "--no-defaults", f"--datadir={data}", f"--socket={socket}", *user]
    command += ["--skip-networking", f"--pid-file={folder}/pid", f"--log-error={folder}/log"]
    process = subprocess.Popen(command)
    ends = time.monotonic() + 60
    while not socket.exists():
        assert process.poll() is None and time.monotonic() < ends, (folder / "log").read_text()
        time.sleep(0.1)
    yield f"mysql+pymysql://root@localhost/mysql?unix_socket={socket}"
    process.terminate()
    process.wait(60)


@pytest.fixture
def script(tmp_path):
    """Reads a file of SQL; returns its tables by id."""

    def read(text, **options):
        path = tmp_path / "shop.sql"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return {item.id: item for item in read_database(str(path), **options)}

    return read
