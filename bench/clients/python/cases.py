# The calls of the public Python SDK, of a loader that is built on it, or of a client of another wire, as named cases.
import sys
import time

import sdks
import wires
from outcomes import SCHEMA, case, check, fails, given

NO_BROWSER = given.get("noBrowser")
NO_CODE = NO_BROWSER or given.get("noSandbox")


def run_sdk():
    from firecrawl import Firecrawl
    from firecrawl.v2.types import ScrapeOptions

    def connect(key):
        return Firecrawl(api_key=key, api_url=given["url"])

    client = connect(given["key"])

    def has(name):
        return hasattr(client, name) or hasattr(client.v2, name)

    def scrape():
        found = client.scrape(given["page"], formats=["markdown", "html", "links"])
        check("First point" in found.markdown and "<p" in found.html and found.links, found)

    def screenshot():
        found = client.scrape(given["page"], formats=["screenshot"])
        check(found.screenshot.startswith("http"), found)

    def missing():
        found = client.scrape(given["missing"])
        check(found.metadata.status_code == 404, found)

    def map_site():
        check(len(client.map(given["mapped"]).links) > 3, "too few links")

    def search():
        found = client.search("brass kettle", limit=2)
        check(len(found.web) == 2 and found.web[0].url, found)

    def search_and_scrape():
        options = ScrapeOptions(formats=["markdown"])
        found = client.search("invar pendulum", limit=1, scrape_options=options)
        check("The last paragraph" in found.web[0].markdown, found)

    def crawl():
        options = ScrapeOptions(formats=["links"])
        ended = client.crawl(given["shop"], limit=130, scrape_options=options, poll_interval=1, timeout=60)
        check(ended.status == "completed" and len(ended.data) == 130, (ended.status, len(ended.data)))

    def pages():
        from firecrawl.v2.types import PaginationConfig

        started = client.start_crawl(given["shop"], limit=130, scrape_options=ScrapeOptions(formats=["links"]))
        client.v2.wait_crawl(started.id, poll_interval=1) if hasattr(client.v2, "wait_crawl") else wait(started.id)
        first = client.v2.get_crawl_status(started.id, pagination_config=PaginationConfig(auto_paginate=False))
        check(len(first.data) == 100 and first.next, (len(first.data), first.next))

    def wait(crawl_id):
        import time

        while client.get_crawl_status(crawl_id).status == "scraping":
            time.sleep(0.5)

    def watch():
        started = client.start_crawl(given["site"], limit=3)
        seen = []
        watcher = client.v2.watcher(started.id, kind="crawl", poll_interval=1, timeout=30)
        watcher.add_listener(lambda status: seen.append((status.status, len(status.data))))
        watcher.start()
        watcher._thread.join(30)
        check(seen and seen[-1] == ("completed", 3), seen)

    def cancel():
        started = client.start_crawl(given["stalled"])
        check(any(each.id == started.id for each in client.get_active_crawls().crawls), "not active")
        check(client.cancel_crawl(started.id), "not cancelled")
        client.get_crawl_errors(started.id)

    def batch():
        ended = client.batch_scrape(given["articles"], formats=["markdown"], poll_interval=1)
        check(ended.status == "completed" and len(ended.data) == 3, ended)

    def parse():
        found = client.parse(given["upload"].encode(), filename="note.html")
        check("# Upload" in found.markdown, found)

    def execute():
        session = client.browser(ttl=60)
        found = client.browser_execute(session.id, "page.url()", language="node")
        check(found.result == "about:blank", found)
        client.delete_browser(session.id)

    def browse():
        session = client.browser(ttl=60)
        check(session.id in [each.id for each in client.list_browsers(status="active").sessions], "not listed")
        client.delete_browser(session.id)

    def interact():
        scrape_id = client.scrape(given["counter"], max_age=0).metadata.scrape_id
        found = client.interact(scrape_id, code="page.url()", timeout=60)
        check(found.result == given["counter"], found)
        client.stop_interaction(scrape_id)

    def interact_with_prompt():
        client.interact(client.scrape(given["page"]).metadata.scrape_id, prompt="What is the title?")

    def scrape_json():
        check(client.scrape(given["page"], formats=[{"type": "json", "schema": SCHEMA}]).json, "no object")

    def extract():
        found = client.extract(urls=[given["page"]], schema=SCHEMA, poll_interval=1, timeout=30)
        check(found.status == "completed" and "title" in found.data, found)

    def agent():
        found = client.agent(prompt="Find the title", urls=[given["page"]], schema=SCHEMA, poll_interval=1, timeout=30)
        check(found.status == "completed" and "title" in found.data, found)

    def watch_page():
        made = client.create_monitor(
            name="News",
            schedule={"text": "every 30 minutes", "timezone": "UTC"},
            targets=[{"type": "scrape", "urls": [given["page"]]}],
        )
        started = client.run_monitor(made.id)
        found = client.get_monitor_check(made.id, started.id)
        while found.status in ("queued", "running"):
            time.sleep(0.2)
            found = client.get_monitor_check(made.id, started.id)
        check(found.status == "completed" and len(found.pages) == 1, found)
        check(client.update_monitor(made.id, status="paused").status == "paused", "not paused")
        check(client.delete_monitor(made.id), "not deleted")

    case("scrape: markdown, html, links", scrape)
    case("scrape: screenshot", screenshot, NO_BROWSER)
    case("scrape: page with status 404", missing)
    case("error: wrong key", lambda: fails("UnauthorizedError", lambda: connect("fc-wrong").scrape(given["page"])))
    case("error: bad URL", lambda: fails("BadRequestError", lambda: client.scrape("notaurl")))
    case("map", map_site)
    case("search", search)
    case("search: scrapeOptions", search_and_scrape)
    case("crawl: waiter", crawl)
    case("crawl: pagination", pages)
    case("crawl: watcher", watch)
    case("crawl: cancel, errors, active", cancel)
    case("batch: waiter", batch)
    case("credit usage", lambda: check(client.get_credit_usage().remaining_credits > 0, "no credits"))
    case("token usage", lambda: client.get_token_usage())
    case("queue status and concurrency", lambda: (client.get_queue_status(), client.get_concurrency()))
    case("scrape: json", scrape_json)
    case("scrape: summary", lambda: check(client.scrape(given["page"], formats=["summary"]).summary, "no summary"))
    case("crawl: prompt", lambda: client.start_crawl(given["site"], prompt="Only the articles", limit=1))
    case("extract", extract)
    # What only some versions have.
    for needed, name, run, skip in [
        ("get_credit_usage_historical", "credit usage: historical", lambda: client.v2.get_credit_usage_historical(by_api_key=True), None),
        ("parse", "parse: upload", parse, None),
        ("browser", "browser: open, list, close", browse, NO_BROWSER),
        ("browser", "browser: execute", execute, NO_CODE),
        ("interact", "interact: code", interact, NO_CODE),
        ("interact", "interact: prompt", interact_with_prompt, NO_BROWSER),
        ("agent", "agent", agent, None),
        ("list_monitors", "monitor: list", lambda: client.list_monitors(), None),
        ("run_monitor", "monitor: create, run, check, update, delete", watch_page, None),
    ]:
        if has(needed):
            case(name, run, skip)


def run_langchain():
    from langchain_firecrawl import FireCrawlLoader

    def load(mode, url, params, **more):
        return FireCrawlLoader(url=url, mode=mode, api_key=given["key"], api_url=given["url"], params=params, **more).load()

    def scrape():
        found = load("scrape", given["page"], {"formats": ["markdown"]})
        check("First point" in found[0].page_content, found)

    case("scrape", scrape)
    case("crawl", lambda: check(len(load("crawl", given["site"], {"limit": 3})) == 3, "not three documents"))
    case("map", lambda: check(len(load("map", given["mapped"], {})) > 3, "too few links"))
    case("extract", lambda: load("extract", given["page"], {"prompt": "The title"}))
    case("search", lambda: check(len(load("search", None, {"limit": 2}, query="brass kettle")) == 2, "not two results"))


def run_llama_index():
    from llama_index.readers.web import FireCrawlWebReader

    def load(mode, params=None, **more):
        return FireCrawlWebReader(api_key=given["key"], api_url=given["url"], mode=mode, params=params or {}).load_data(**more)

    def scrape():
        found = load("scrape", url=given["page"])
        check("First point" in found[0].text, found)

    case("scrape", scrape)
    case("crawl", lambda: check(len(load("crawl", {"limit": 3}, url=given["site"])) == 3, "not three documents"))
    case("map", lambda: check(len(load("map", url=given["mapped"])) > 3, "too few links"))
    case("search", lambda: check(load("search", {"limit": 2}, query="brass kettle"), "no results"))
    case("extract", lambda: load("extract", {"prompt": "The title"}, urls=[given["page"]]))


RUNS = {"sdk": run_sdk, "langchain": run_langchain, "llama-index": run_llama_index} | wires.RUNS | sdks.RUNS
RUNS[sys.argv[1]]()
