"""Generated runs for the tests of clusters."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
