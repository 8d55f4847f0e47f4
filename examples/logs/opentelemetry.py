"""Two services, of which one asks the other; needs opentelemetry-sdk and opentelemetry-exporter-otlp-proto-common."""

import json
import random
import sys
import time
from pathlib import Path

from google.protobuf.json_format import MessageToDict
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult


class Lines(SpanExporter):
    """A request of OTLP in JSON a line, as the collector's file exporter writes it."""

    def __init__(self, path):
        self.out = path.open("w")

    def export(self, spans):
        self.out.write(json.dumps(MessageToDict(encode_spans(spans)), separators=(",", ":")) + "\n")
        return SpanExportResult.SUCCESS

    def shutdown(self):
        self.out.close()


providers = {}
for name in ("shop", "stock"):
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": "1.4"}))
    lines = Lines(Path(sys.argv[1]) / f"{name}.jsonl")
    provider.add_span_processor(BatchSpanProcessor(lines, max_export_batch_size=16))
    providers[name] = provider
shop, stock = (provider.get_tracer("demo") for provider in providers.values())
draw = random.Random(3)
for _ in range(120):
    route = draw.choice(["/cart", "/pay"])
    with shop.start_as_current_span("GET " + route, kind=trace.SpanKind.SERVER) as span:
        span.set_attribute("http.route", route)
        span.set_attribute("http.request.method", "GET")
        with stock.start_as_current_span("SELECT items", kind=trace.SpanKind.CLIENT) as inner:
            inner.set_attribute("db.system", "postgresql")
            time.sleep(draw.expovariate(500))
        failed = draw.random() < 0.05
        span.set_attribute("http.response.status_code", 500 if failed else 200)
        if failed:
            span.set_status(trace.StatusCode.ERROR)
for provider in providers.values():
    provider.shutdown()
