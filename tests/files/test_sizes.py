from statera.support.settings.limits import parse_size


def test_units_are_powers_of_1000_or_of_1024():
    texts = {f"3{unit}": 3 * 1000**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB"))}
    texts |= {f"3 {unit}": 3 * 1000**power for power, unit in enumerate(("", "k", "M", "g", "T"))}
    texts |= {f" 3{unit} ": 3 * 1024**power for power, unit in enumerate(("b", "KiB", "mib", "GIB", "TiB"))}
    texts |= {"1.5 GB": 1_500_000_000, "0.5KiB": 512, "0": 0}
    texts |= dict.fromkeys(("", "GB", "-1", "1 XB", "1e9", "1.GB", "1" * 19, "٣"))
    assert {text: parse_size(text) for text in texts} == texts
