"""Find the change points of series by Apache Otava with its defaults; a line of JSON in, a line out.

Run by bench/detector.py with the Python of an environment that has apache-otava (OTAVA_PYTHON).
"""

import json
import sys
import time

from otava.analysis import compute_change_points

for line in sys.stdin:
    values = json.loads(line)
    begun = time.process_time()
    points, _ = compute_change_points(values)
    print(json.dumps([[int(point.index) for point in points], time.process_time() - begun]), flush=True)
