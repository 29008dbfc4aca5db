# Calls the public Python SDK as its users do. Reads the addresses as JSON from standard input, and prints one JSON object:
# what each call returned, or the class, status and text of its error.
import json
import sys
import time

from firecrawl import Firecrawl
from firecrawl.v2.types import Document, MonitorTarget, ScrapeOptions

given = json.load(sys.stdin)
client = Firecrawl(api_key=given["key"], api_url=given["url"])
results = {}


def call(name, run):
    try:
        results[name] = {"value": run()}
    except Exception as error:
        results[name] = {
            "error": type(error).__name__,
            "status": getattr(error, "status_code", None),
            "text": str(error),
        }


def page(document):
    assert isinstance(document, Document), type(document)
    metadata = document.metadata
    return {"markdown": document.markdown, "links": document.links, "status": metadata.status_code, "id": metadata.scrape_id}


def job(ended):
    return {"status": ended.status, "total": ended.total, "credits": ended.credits_used, "pages": [page(d) for d in ended.data]}


def watch():
    started = client.start_crawl(given["site"], limit=3)
    seen = []
    watcher = client.v2.watcher(started.id, kind="crawl", poll_interval=1, timeout=30)
    watcher.add_listener(lambda status: seen.append((status.status, len(status.data))))
    watcher.start()
    watcher._thread.join(30)
    return seen[-1]


def browse():
    session = client.browser(ttl=60)
    listed = [each.id for each in client.list_browsers(status="active").sessions]
    ended = client.delete_browser(session.id)
    return {"listed": session.id in listed, "cdp": session.cdp_url, "credits": ended.credits_billed}


def changes():
    formats = ["markdown", {"type": "changeTracking", "modes": ["git-diff"]}]
    looks = [client.scrape(given["changing"], formats=formats).change_tracking for _ in range(2)]
    return [looks[0]["changeStatus"], looks[1]["changeStatus"], looks[1]["diff"]["text"]]


def check_of(monitor_id):
    started = client.run_monitor(monitor_id)
    while True:
        check = client.get_monitor_check(monitor_id, started.id, limit=1)
        if check.status not in ("queued", "running"):
            return check
        time.sleep(0.2)


def monitor():
    made = client.create_monitor(
        name="Prices",
        schedule={"text": "hourly", "timezone": "Europe/Berlin"},
        targets=[MonitorTarget(type="scrape", urls=[given["watched"], given["page"]])],
        webhook={"url": given["page"], "events": ["monitor.page"]},
    )
    first, second = check_of(made.id), check_of(made.id)
    renamed = client.update_monitor(made.id, name="New", status="paused")
    listed = [each.id for each in client.list_monitors(limit=10)]
    checks = client.list_monitor_checks(made.id)
    last = client.get_monitor(made.id).last_check_summary
    deleted = client.delete_monitor(made.id)
    return {
        "cron": made.schedule.cron,
        "credits": made.estimated_credits_per_month,
        "pages": [{page.url: page.status for page in check.pages} for check in (first, second)],
        "diff": [page.diff.text for page in second.pages if page.diff],
        "checks": [(check.status, check.billing_status, check.summary.total_pages) for check in checks],
        "last": last.changed,
        "renamed": [renamed.name, renamed.status, renamed.next_run_at],
        "listed": made.id in listed,
        "deleted": deleted,
    }


call("scrape", lambda: page(client.scrape(given["page"], formats=["markdown", "links"])))
call("changes", changes)
call("crawl", lambda: job(client.crawl(given["site"], limit=3, poll_interval=1)))
call("batch", lambda: job(client.batch_scrape([given["page"], given["missing"]], formats=["markdown"], poll_interval=1)))
call("map", lambda: [link.url for link in client.map(given["site"], limit=5).links])
call("search", lambda: [page(d) for d in client.search("article", limit=1, scrape_options=ScrapeOptions(formats=["markdown"])).web])
call("parse", lambda: page(client.parse(b"<h1>Upload</h1><p>Some text in a file.</p>", filename="note.html")))
call("watcher", watch)
call("credits", lambda: client.get_credit_usage().model_dump())
call("tokens", lambda: client.get_token_usage().model_dump())
call("credit history", lambda: client.v2.get_credit_usage_historical(by_api_key=True).model_dump())
call("token history", lambda: client.v2.get_token_usage_historical().model_dump())
call("queue", lambda: client.get_queue_status().model_dump())
call("browser", browse)
call("monitor", monitor)
call("unknown monitor", lambda: client.get_monitor("unknown"))
call("bad request", lambda: client.scrape("notaurl"))
call("private address", lambda: client.scrape("http://10.0.0.1/"))
call("unknown name", lambda: client.scrape("http://no-such-host.invalid/"))
call("wrong key", lambda: Firecrawl(api_key="fc-wrong", api_url=given["url"]).scrape(given["page"]))
print(json.dumps(results, default=str))
