"""A Java for the tests that has the packages of Spark, and ends with them."""

from contextlib import contextmanager
from pathlib import Path

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

JARS = Path(pyspark.__file__).parent / "jars"


@contextmanager
def running(*jars):
    """Start it; give its packages and classes."""
    [python] = JARS.glob("py4j-*.jar")
    port, token, process = launch_gateway(
        jarpath=str(python), classpath=":".join([*map(str, jars), f"{JARS}/*"]), die_on_exit=True, java_path=None,
        javaopts=["-Xmx256m", "-XX:TieredStopAtLevel=1"], enable_auth=True, return_proc=True,
    )  # fmt: skip
    try:
        yield JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token)).jvm
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
