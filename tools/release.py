"""Check that what lies in ``dist`` can be published, and say what would be.

    python tools/release.py dist build/release

The versions of ``pyproject.toml``, the package, ``CITATION.cff``, the changelog and the tag must
agree. The files of the last commit, built a second time in another folder, must give the same
bytes. The parts of a clean environment with the wheel are listed in CycloneDX (an SBOM). Nothing is
uploaded. Without a tag this is a rehearsal, and the changelog may still say "Unreleased".
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> None:
    """Check versions, bytes and parts; end with 1 if anything is in the way."""
    dist, folder = (Path(argument).resolve() for argument in arguments)
    tag = _git("tag", "--points-at", "HEAD", "v*").strip()
    version = stated_versions(ROOT)["pyproject.toml"]
    built = sorted(dist.iterdir())
    problems = [
        *version_problems(ROOT, tag),
        *byte_problems(built, rebuild(folder / "again")),
    ]
    sbom = write_sbom(dist, version, folder)
    print(f"sugeno {version}, {'tag ' + tag if tag else 'a rehearsal: the commit has no tag'}")
    for file in [*built, sbom]:
        print(f"  {sha256(file)}  {file.name}  {file.stat().st_size:,} bytes")
    print("Nothing was published.")
    if problems:
        sys.exit("\n".join(["Not ready:", *problems]))


# --- Versions ---------------------------------------------------------------------------------


def stated_versions(root: Path) -> dict[str, str]:
    """The version by the file that states it; a file that states none is an error."""
    places = {
        "pyproject.toml": r'^version = "(.+)"$',
        "src/sugeno/__init__.py": r'^__version__ = "(.+)"$',
        "CITATION.cff": r"^version: (.+)$",
    }
    stated = {}
    for name, pattern in places.items():
        found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None:
            sys.exit(f"{name} states no version; write a line such as {pattern!r} finds.")
        stated[name] = found[1]
    return stated


def version_problems(root: Path, tag: str) -> Iterator[str]:
    """Whatever contradicts ``pyproject.toml``; without a tag the changelog may be open."""
    stated = stated_versions(root)
    version = stated["pyproject.toml"]
    for name, other in stated.items():
        if other != version:
            yield f"{name} says {other}, pyproject.toml says {version}; make them agree."
    if not tag:
        return
    if tag != f"v{version}":
        yield f"The tag is {tag}, pyproject.toml says {version}; tag the commit v{version}."
    changes = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not changes.get(version):
        yield f"CHANGELOG.md has no changes under '## [{version}] - date'; move them there."
    if changes.get("Unreleased"):
        yield f"CHANGELOG.md has changes under [Unreleased]; move them to [{version}]."


def sections(changelog: str) -> dict[str, str]:
    """What the changelog says of each version; a version needs a date."""
    parts = re.split(r"^## \[(.+?)\](.*)$", changelog, flags=re.MULTILINE)[1:]
    return {
        name: text.strip()
        for name, date, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        if name == "Unreleased" or re.fullmatch(r" - \d{4}-\d\d-\d\d", date)
    }


# --- Bytes ------------------------------------------------------------------------------------


def rebuild(folder: Path) -> list[Path]:
    """Build what is committed once more, in a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(fileobj=BytesIO(_run("git", "archive", "HEAD"))) as committed:
        committed.extractall(folder / "sources", filter="data")
    out = folder / "dist"
    _run(sys.executable, "-m", "build", "--outdir", str(out), str(folder / "sources"))
    return sorted(out.iterdir())


def byte_problems(built: Sequence[Path], again: Sequence[Path]) -> Iterator[str]:
    """Files that only one build has, or that differ."""
    first, second = ({file.name: sha256(file) for file in files} for files in (built, again))
    for name in sorted(first.keys() | second.keys()):
        if name not in second or name not in first:
            yield f"{name} comes from one of two builds; run `make clean`, and build again."
        elif first[name] != second[name]:
            yield (
                f"{name} differs between two builds ({first[name][:12]}, {second[name][:12]}); "
                "commit what is not committed, and build again."
            )


def sha256(file: Path) -> str:
    """Fingerprint of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


# --- Parts ------------------------------------------------------------------------------------


def write_sbom(dist: Path, version: str, folder: Path) -> Path:
    """List the wheel and what it installs, without pip and without paths of this machine."""
    environment = folder / "environment"
    venv.create(environment, clear=True, with_pip=False)
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    wanted = f"sugeno=={version}"
    # From a folder of files, since pip would note the path of a file that it is given.
    _run(*pip, "--no-deps", "--no-index", "--find-links", str(dist), "--only-binary=:all:", wanted)
    _run(*pip, wanted)
    sbom = folder / f"sugeno-{version}.cdx.json"
    listed = ["--output-reproducible", "--mc-type", "library"]
    cyclonedx = [sys.executable, "-m", "cyclonedx_py", "environment", python]
    described = ["--pyproject", str(ROOT / "pyproject.toml")]
    _run(*cyclonedx, *listed, *described, "--output-format", "JSON", "--output-file", str(sbom))
    return sbom


# --- Programs ---------------------------------------------------------------------------------


def _git(*arguments: str) -> str:
    return _run("git", *arguments).decode()


def _run(*command: str) -> bytes:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr.decode()}")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
