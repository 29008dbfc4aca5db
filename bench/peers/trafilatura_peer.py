# trafilatura with its default options and the address of the page. Reads one request per line, {"file", "url"}, and writes
# one answer per line, {"markdown", "error", "cpuMs"}, after a first line that says it is ready.
import json
import logging
import sys
from time import process_time_ns

from trafilatura import extract

logging.disable(logging.CRITICAL)


def answer(value):
    print(json.dumps(value), flush=True)


answer("ready")
for line in sys.stdin:
    request = json.loads(line)
    with open(request["file"], encoding="utf-8") as file:
        html = file.read()
    text, error = "", None
    before = process_time_ns()
    try:
        text = extract(html, url=request["url"], output_format="markdown") or ""
    except Exception as thrown:
        error = repr(thrown)
    cpu_ms = (process_time_ns() - before) / 1e6
    answer({"markdown": text, **({} if error is None else {"error": error}), "cpuMs": cpu_ms})
