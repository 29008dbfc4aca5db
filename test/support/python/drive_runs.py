# Agents and extractions with the public Python SDK, whose models refuse values and events that they do not know.
# Reads the addresses as JSON from standard input, and prints one JSON object: what each call returned, or its error.
import asyncio
import json
import sys
import time
import warnings

from firecrawl import AsyncFirecrawl, Firecrawl

warnings.simplefilter("ignore", DeprecationWarning)
given = json.load(sys.stdin)
account = {"api_key": given["key"], "api_url": given["url"]}
client = Firecrawl(**account)
asked = {"prompt": given["prompt"], "schema": given["schema"]}
urls = given["urls"]
results = {}


def whole(answer):
    return answer.model_dump(exclude_none=True, by_alias=True)


def call(name, run):
    try:
        results[name] = {"value": run()}
    except Exception as error:
        results[name] = {"error": f"{type(error).__name__}: {error}"}


def agent():
    first = client.agent(urls, **asked, effort="low", max_credits=100, strict_constrain_to_urls=True, poll_interval=1, timeout=90)
    again = client.agent(urls, prompt=given["prompt"], thread_id=first.thread_id, location={"country": "DE"}, poll_interval=1, timeout=90)
    thread = client.get_agent_thread(first.thread_id, include_data=True)
    return {"first": whole(first), "again": whole(again), "thread": whole(thread)}


def ended(status, job):
    while status(job.id).status == "processing":
        time.sleep(0.2)
    return status(job.id)


def trace():
    job = client.start_agent(urls, **asked)
    ended(client.get_agent_status, job)
    traced = client.get_agent_trace(job.id, live_view=True)
    shots = [event.artifact.snapshot_id for event in traced.events if event.type == "artifact.updated"]
    texts = [client.get_agent_snapshot(job.id, shot).snapshot for shot in shots]
    return {"events": [event.type for event in traced.events], "snapshots": texts, "credits": traced.credits_used}


def listed():
    return [whole(item) for item in client.list_agents().agents]


def cancelled():
    job = client.start_agent([given["stalled"]], prompt=given["unanswered"])
    done = client.cancel_agent(job.id)
    return {"done": done, "status": whole(ended(client.get_agent_status, job))}


def extract():
    return whole(client.extract(urls, **asked, show_sources=True, poll_interval=1, timeout=90))


def started():
    job = client.start_extract(urls, **asked)
    return {"job": whole(job), "status": whole(ended(client.get_extract_status, job))}


async def at_once():
    async_client = AsyncFirecrawl(**account)
    agent, extract = await asyncio.gather(
        async_client.agent(urls, **asked, poll_interval=1, timeout=90),
        async_client.extract(urls, **asked, poll_interval=1, timeout=90),
    )
    return {"agent": whole(agent), "extract": whole(extract)}


call("agent", agent)
call("trace", trace)
call("list", listed)
call("cancelled", cancelled)
call("extract", extract)
call("started", started)
call("async", lambda: asyncio.run(at_once()))
print(json.dumps(results, default=str))
