"""The steps of action.yml, executed as a runner of GitHub executes them; steps that use another action are listed."""

from __future__ import annotations

import os
import re
import subprocess
from typing import NamedTuple

import yaml

from support import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


class Done(NamedTuple):
    """A step that ran: its name, exit code, and what it printed."""

    name: str
    code: int
    said: str


class Runner:
    """A job in a clone.

    Attributes:
        folder: the clone. temp: its folder for temporary files. summary: the job's summary.

    """

    def __init__(self, folder, temp, *, event=None, env=None):
        self.folder, self.temp = folder, temp
        temp.mkdir(parents=True, exist_ok=True)
        self.summary = temp / "summary.md"
        self._event, self._env = event or {}, dict(env or {})
        self._steps: dict[str, dict[str, str]] = {}
        self._path = self._env.pop("PATH", os.environ["PATH"])

    def run(self, inputs, *, leave_out=()):
        """Execute the action; a failed step skips the others, as on a runner."""
        defaults = {name: str(stated.get("default", "")) for name, stated in ACTION["inputs"].items()}
        self._inputs = {name: str(self._value(inputs.get(name, text))) for name, text in defaults.items()}
        done = []
        for step in ACTION["runs"]["steps"]:
            if not self._holds(step.get("if")) or step["name"] in leave_out or (done and done[-1].code):
                continue
            done.append(self._step(step) if "run" in step else Done(step["name"], 0, step["uses"]))
        return done

    def job(self, steps, *, leave_out=()):
        """Execute the steps of a workflow's job, in which this action is ``OWNER/statera@VERSION``."""
        done = []
        for step in steps:
            if done and done[-1].code:
                break
            if "run" in step:
                done.append(self._step(step))
            elif step["uses"].startswith("OWNER/statera@"):
                done += self.run(step["with"], leave_out=leave_out)
            else:
                done.append(Done(step["uses"], 0, self._value(step.get("with", ""))))
        return done

    def _holds(self, condition):
        return condition is None or condition == f"inputs.mode == '{self._inputs['mode']}'"

    def _step(self, step):
        output, path = self.temp / "output", self.temp / "path"
        output.write_text("")
        path.write_text("")
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI", "GIT_"))},
            "PATH": self._path,
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_PATH": str(path),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **self._env,
            **{name: self._value(text) for name, text in step.get("env", {}).items()},
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        lines = [line.partition("=") for line in output.read_text().splitlines()]
        self._steps[step.get("id", "")] = {name: value for name, _, value in lines}
        self._path = ":".join([*path.read_text().split(), self._path])
        return Done(step["name"], done.returncode, done.stdout + done.stderr)

    def _value(self, text):
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda found: self._expression(found[1]), str(text))

    def _expression(self, text):
        return next(filter(None, (self._looked_up(part.strip()) for part in text.split("||"))), "")

    def _looked_up(self, path):
        known = {
            "inputs": getattr(self, "_inputs", {}),
            "steps": {name: {"outputs": outputs} for name, outputs in self._steps.items()},
            "github": {"event": self._event, "action_path": str(ROOT), "token": "", "sha": ""},
            "runner": {"temp": str(self.temp)},
        }
        for word in path.split("."):
            known = known.get(word, {}) if isinstance(known, dict) else {}
        return known if isinstance(known, str) else ""
