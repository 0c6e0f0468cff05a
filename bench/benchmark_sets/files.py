"""The files that a benchmark set is made from: downloaded, found, and checked."""

import hashlib
import http.client
import json
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from grapher_jax.command_line import meter
from grapher_jax.errors import InputError

Row = dict[str, Any]
AnyPath = Path | zipfile.Path
_BLOCK = 2**20


def tell(line: str) -> None:
    """Print a line on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True)
class Files:
    """The files of a set's source, packed or unpacked, and what is known of them.

    Attributes:
        folder: holds them.
        digests: by name the digest that a file must have, such as `sha256:00ff…`.
        checked: the files, packed or not, whose digest was compared and printed.
    """

    folder: Path
    digests: Mapping[str, str]
    checked: set[Path] = field(default_factory=set)

    def find(self, pattern: str) -> list[AnyPath]:
        """The files with such a path, by name: those of the folder, else those of an archive."""
        found: list[AnyPath] = [*sorted(self.folder.rglob(pattern))] or self._packed(pattern)
        if not found:
            raise InputError(f"{self.folder}: has no {pattern}, unpacked or in a .zip; add it")
        return found

    def one(self, pattern: str) -> AnyPath:
        """The file with such a path that lies in the fewest folders."""
        return self._checked(min(self.find(pattern), key=lambda path: str(path).count("/")))

    def every(self, pattern: str) -> list[AnyPath]:
        """All files with such a path, by name."""
        return [*map(self._checked, self.find(pattern))]

    def json(self, pattern: str) -> Any:
        """What a file of JSON holds."""
        return json.loads(self.one(pattern).read_text(encoding="utf-8"))

    def lines(self, pattern: str) -> Iterator[Row]:
        """The records of a file of JSON Lines."""
        with self.one(pattern).open("r", encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.strip())

    def _packed(self, pattern: str) -> list[AnyPath]:
        for path in sorted(self.folder.rglob("*.zip")):
            try:
                with zipfile.ZipFile(path) as archive:
                    names = sorted(name for name in archive.namelist() if "__MACOSX" not in name)
            except (zipfile.BadZipFile, NotImplementedError) as error:
                raise InputError(f"{path}: no .zip ({error}); fetch it again") from error
            if found := [name for name in names if PurePosixPath(name).match(pattern)]:
                return [zipfile.Path(path, name) for name in found]
        return []

    def _checked(self, path: AnyPath) -> AnyPath:
        file = path if isinstance(path, Path) else Path(path.root.filename or "")
        if file in self.checked:
            return path
        kind, _, wanted = self.digests.get(file.name, "").rpartition(":")
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, kind or "sha256").hexdigest()
        if wanted and digest != wanted:
            raise InputError(
                f"{file}: its {kind} is {digest}, not {wanted}; fetch it again, or take this "
                f"version by --sha256 {file.name}=DIGEST"
            )
        told = "as expected" if wanted else "none is recorded"
        tell(f"{file.name}: {kind or 'sha256'} {digest}, {told}")
        self.checked.add(file)
        return path


def fetch(address: str, path: Path) -> None:
    """Download a file unless it is there; what an earlier call began is continued.

    Raises:
        InputError: if the address gives no whole file.
    """
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            if reply.headers.get_content_type() == "text/html":
                raise OSError("a page, not a file")
            have = have if reply.status == 206 else 0
            total = have + int(reply.headers.get("content-length") or 0)
            with part.open("ab" if have else "wb") as file, meter.progress(path.name) as progress:
                if total:
                    progress.expect(total)
                progress(have)
                while block := reply.read(_BLOCK):
                    progress(file.write(block))
        if part.stat().st_size < total:
            raise OSError("it ended early")
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
            if error.code == 416:
                part.unlink()  # as long as the whole, or of another version
        raise InputError(
            f"{address}: cannot be fetched ({error}); run the same command again to go on, or "
            "fetch it yourself and name its folder with --from"
        ) from error
    part.replace(path)
