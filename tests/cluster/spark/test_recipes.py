"""The recipes of examples/spark hold: by the Kubernetes client and the settings of Spark itself."""

import re
import zipfile

import pytest
import small_java
import yaml
from running_spark import need_java

from support import ROOT

pytestmark = pytest.mark.later

RECIPES = ROOT / "examples/spark"


def manifests():
    return list(yaml.safe_load_all((RECIPES / "kubernetes.yaml").read_text()))


def unknown(read, place):
    """Return the fields below an object of the client that Kubernetes does not have."""
    found = [f"{place}.{name}" for name in read.getAdditionalProperties()]
    for method in read.getClass().getMethods():
        name = method.getName()
        if not name.startswith("get") or method.getParameterCount():
            continue
        kind = method.getReturnType().getName()
        if kind.startswith("io.fabric8.kubernetes.api.model") or kind == "java.util.List":
            value = getattr(read, name)()
            for each in value if kind == "java.util.List" and value is not None else [value]:
                if hasattr(each, "getClass") and each.getClass().getName().startswith(
                    "io.fabric8.kubernetes.api.model"
                ):
                    found += unknown(each, f"{place}.{name[3:]}")
    return found


def test_kubernetes_knows_every_field_of_the_manifests():
    need_java()
    with small_java.running() as java:
        client = java.io.fabric8.kubernetes.client.utils.Serialization
        for manifest in manifests():
            assert unknown(client.unmarshal(yaml.safe_dump(manifest)), manifest["kind"]) == []
        # It would find one.
        wrong = manifests()[-1]
        wrong["spec"]["template"]["spec"]["containers"][0]["volumeMount"] = []
        assert unknown(client.unmarshal(yaml.safe_dump(wrong)), "Job") == [
            "Job.Spec.Template.Spec.Containers.volumeMount"
        ]


def test_the_parts_of_the_manifests_fit_together():
    of = {each["kind"]: each for each in manifests()}
    pod = of["Job"]["spec"]["template"]
    [container] = pod["spec"]["containers"]
    settings = dict(settings_of(of["ConfigMap"]["data"]["spark-defaults.conf"]))
    assert of["Service"]["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert settings["spark.driver.host"] == of["Service"]["metadata"]["name"]
    assert {settings["spark.driver.port"], settings["spark.driver.blockManager.port"]} == {
        str(port["port"]) for port in of["Service"]["spec"]["ports"]
    }
    assert settings["spark.kubernetes.container.image"] == container["image"]
    assert pod["spec"]["serviceAccountName"] == of["ServiceAccount"]["metadata"]["name"]
    assert of["RoleBinding"]["subjects"][0]["name"] == of["ServiceAccount"]["metadata"]["name"]
    assert pod["spec"]["volumes"][0]["configMap"]["name"] == of["ConfigMap"]["metadata"]["name"]
    assert container["env"][0]["value"] == container["volumeMounts"][0]["mountPath"]
    assert container["command"][-1].startswith("k8s://https://")


def settings_of(text):
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def test_spark_has_every_setting_of_the_recipes():
    texts = [each["data"]["spark-defaults.conf"] for each in manifests() if each["kind"] == "ConfigMap"]
    texts.append((RECIPES / "yarn/spark-defaults.conf").read_text())
    wanted = {name for text in texts for name, _ in settings_of(text)}
    assert len(wanted) > 10
    known = set()
    for jar in small_java.JARS.glob("spark-*.jar"):
        if re.match(r"spark-(core|launcher|yarn|kubernetes|common-utils)", jar.name):
            with zipfile.ZipFile(jar) as classes:
                for member in classes.namelist():
                    if member.endswith(".class") and re.search(r"config|Config|SparkSubmit|SparkLauncher", member):
                        content = classes.read(member)
                        known |= {name for name in wanted if name.encode() in content}
    # Kubernetes puts the names of its settings of identity together from a beginning and an end.
    missing = wanted - known
    assert {name for name in missing if not name.startswith("spark.kubernetes.authenticate.")} == set()
