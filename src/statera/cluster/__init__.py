"""From the logs of every host of a cluster to the events of a run, and to what they say."""
