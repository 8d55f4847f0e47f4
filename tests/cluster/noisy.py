"""Analyses of small runs with noise of their own."""

import random

from small import Cluster

from statera.cluster.samples import load


def make(folder, *, seed=1, size=1000, delay=0.1, hosts=("h0", "h1", "h2"), blocks=40, **facts):
    """Analyse a run of so many blocks, with noise of its own."""
    chance = random.Random(seed)
    cluster = Cluster(folder, *hosts)
    cluster.facts |= facts
    before = "f"
    for number in range(blocks):
        name = f"{number:02x}f"
        forger = hosts[number % len(hosts)]
        cluster.forge(forger, name, number * 10, number, before)
        cluster.log(forger, "AdoptedBlock", number * 10 + 1, name, size=round(size * (1 + 0.01 * chance.gauss(0, 1))))
        before = name
    for place, host in enumerate(hosts):
        level = delay * (1 + place)
        for slot in range(60):
            cluster.start(host, slot, after=level * (1 + 0.01 * chance.gauss(0, 1)))
    cluster.analyse()
    return load(folder)
