# Requests every format that needs understanding with the public Python SDK, whose models refuse values of another type.
# Reads the addresses as JSON from standard input, and prints one JSON object: documents, or the text of an error.
import json
import sys

from firecrawl import Firecrawl
from firecrawl.v2.types import Document, ScrapeOptions

given = json.load(sys.stdin)
client = Firecrawl(api_key=given["key"], api_url=given["url"])
results = {}


def call(name, run):
    try:
        results[name] = {"value": run()}
    except Exception as error:
        results[name] = {"error": f"{type(error).__name__}: {error}"}


def plain(document):
    assert isinstance(document, Document), type(document)
    return document.model_dump(exclude_none=True)


for number, asked in enumerate(given["passes"]):
    urls, formats = asked["urls"], asked["formats"]
    options, found = ScrapeOptions(formats=formats), ScrapeOptions(**asked["searched"])
    limit = len(urls)
    call(f"scrape {number}", lambda: [plain(client.scrape(url, formats=formats)) for url in urls])
    call(f"batch {number}", lambda: [plain(page) for page in client.batch_scrape(urls, formats=formats, poll_interval=1).data])
    call(f"crawl {number}", lambda: [plain(page) for page in client.crawl(given["site"], limit=limit, scrape_options=options, poll_interval=1).data])
    call(f"search {number}", lambda: [plain(page) for page in client.search("Copper Kettle", limit=limit, scrape_options=found).web])
for name, formats in given["alone"].items():
    call(name, lambda: [plain(client.scrape(given["site"], formats=formats))])
print(json.dumps(results, default=str))
