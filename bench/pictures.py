"""Draw the pictures of the documentation again, with the commands that the documentation shows.

Usage: python bench/pictures.py
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/pictures"
LARGEST = 150_000  # bytes of a picture


def main() -> None:
    """Run every command that writes a PNG to ``$TMP``, with the folder of the pictures in place of ``$TMP``."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for command in re.findall(
            r"^\$ (statera (?:plot|report) (?:[^\n]*\\\n)*[^\n]*)", page.read_text(), re.MULTILINE
        ):
            if "$TMP/" in command and ".png" in command:
                environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
                subprocess.run(["bash", "-c", command], cwd=ROOT, env={**environment, "TMP": str(FOLDER)}, check=True)
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size:,} bytes")
    if large := [picture.name for picture in FOLDER.glob("*.png") if picture.stat().st_size > LARGEST]:
        sys.exit(f"larger than {LARGEST:,} bytes: {', '.join(large)}")


if __name__ == "__main__":
    main()
