"""The generator as a program: every setting is an option."""

import argparse
from dataclasses import fields
from pathlib import Path

from .run import generate
from .settings import Settings

parser = argparse.ArgumentParser(description="Write the logs of a cluster that never was.")
parser.add_argument("out", type=Path)
parser.add_argument("--processes", type=int)
for field in fields(Settings):
    if isinstance(field.default, tuple):
        parser.add_argument(f"--{field.name}", nargs="+", default=field.default)
    else:
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
options = vars(parser.parse_args())
out, processes = options.pop("out"), options.pop("processes")
settings = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
generate(out, Settings(**settings), processes)
