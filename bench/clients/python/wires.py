# Clients of several wires, as named cases: version 1 of the SDK, LangChain's wrappers and LiteLLM.
import asyncio

from outcomes import DOCUMENTS, QUERY, SCHEMA, case, check, fails, given


def run_sdk_v1():
    from firecrawl import V1FirecrawlApp

    client = V1FirecrawlApp(api_key=given["key"], api_url=given["url"])

    def scrape():
        found = client.scrape_url(given["page"], formats=["markdown", "links"])
        check("First point" in found.markdown and found.links, found)

    def search():
        found = client.search("brass kettle", limit=2)
        check(len(found.data) == 2, found)

    def crawl():
        found = client.crawl_url(given["site"], limit=3, poll_interval=1)
        check(found.status == "completed" and len(found.data) == 3, found)

    def cancel():
        started = client.async_crawl_url(given["stalled"], limit=3)
        check(client.cancel_crawl(started.id)["status"] == "cancelled", started)
        client.check_crawl_errors(started.id)

    def batch():
        found = client.batch_scrape_urls(given["articles"], formats=["markdown"], poll_interval=1)
        check(len(found.data) == len(given["articles"]), found)

    case("scrape: markdown, links", scrape)
    case("map", lambda: check(len(client.map_url(given["mapped"]).links) > 3, "too few links"))
    case("search", search)
    case("crawl: waiter", crawl)
    case("crawl: cancel, errors", cancel)
    case("batch: waiter", batch)
    case("extract", lambda: check("title" in client.extract([given["page"]], schema=SCHEMA).data, "no title"))
    case("error: bad URL", lambda: fails("HTTPError", lambda: client.scrape_url("http://")))


def run_searx():
    from langchain_community.utilities import SearxSearchWrapper

    by_path = SearxSearchWrapper(searx_host=f"{given['url']}/searxng/key/{given['key']}")
    by_header = SearxSearchWrapper(searx_host=f"{given['url']}/searxng", headers={"Authorization": f"Bearer {given['key']}"})

    def results(client, **more):
        found = client.results("brass kettle", num_results=2, **more)
        check(len(found) == 2 and found[0]["link"] and found[0]["engines"], found)

    case("results: key in the path", lambda: results(by_path))
    case("results: key in a header", lambda: results(by_header))
    case("run", lambda: check("kettle" in by_path.run("brass kettle").lower(), "no text"))
    case("results: engines, category", lambda: results(by_path, engines=["google"], categories="general"))


def run_brave():
    from langchain_community.utilities import BraveSearchWrapper

    def connect(key):
        return BraveSearchWrapper(api_key=key, base_url=f"{given['url']}/brave/res/v1/web/search", search_kwargs={"count": 2})

    case("run", lambda: check("kettle" in connect(given["key"]).run("brass kettle").lower(), "no text"))
    case("download_documents", lambda: check(len(connect(given["key"]).download_documents("brass kettle")) == 2, "not two"))
    case("error: wrong key", lambda: fails("Exception", lambda: connect("no").run("brass kettle"), "401"))


def run_jina():
    from langchain_community.utilities.jina_search import JinaSearchAPIWrapper

    def connect(key):
        return JinaSearchAPIWrapper(api_key=key, base_url=f"{given['url']}/jina/s/")

    def documents():
        found = connect(given["key"]).download_documents("invar pendulum")
        check("The last paragraph" in found[0].page_content and found[0].metadata["link"], found)

    case("run", lambda: check("kettle" in connect(given["key"]).run("brass kettle").lower(), "no text"))
    case("download_documents", documents)
    case("error: wrong key", lambda: fails("Exception", lambda: connect("no").run("brass kettle"), "401"))
    case("error: nothing found", lambda: fails("Exception", lambda: connect(given["key"]).run("qzxvkwj"), "422"))


def run_litellm():
    import litellm

    def search(provider, base, key=given["key"], **more):
        asked = {"query": "brass kettle", "max_results": 2, **more}
        return litellm.search(search_provider=provider, api_base=f"{given['url']}{base}", api_key=key, **asked)

    def found(provider, base, **more):
        results = search(provider, base, **more).results
        check(results and all(each.url and each.title and each.snippet for each in results), results)
        return results

    def limited(provider, base):
        results = found(provider, base)
        check(len(results) == 2, results)

    def within(provider, base):
        results = found(provider, base, search_domain_filter=["north.test"], country="US")
        check(all("//north.test" in each.url for each in results), results)

    def awaited(provider, base):
        asked = {"query": "brass kettle", "search_provider": provider, "api_key": given["key"]}
        got = asyncio.run(litellm.asearch(api_base=f"{given['url']}{base}", **asked))
        check(got.results, got)

    def refused(provider, base):
        try:
            got = search(provider, base, key="no")
        except Exception as error:
            check("unauthorized" in str(error).lower(), error)
            return
        check(False, got)

    def rerank(model, base, **more):
        got = litellm.rerank(model=model, query=QUERY, documents=DOCUMENTS, api_base=f"{given['url']}{base}", api_key=given["key"], **more)
        scores = [each["relevance_score"] for each in got.results]
        check(got.results[0]["index"] == 1 and scores == sorted(scores, reverse=True), got)
        return got

    def top(model, base):
        check(len(rerank(model, base, top_n=2).results) == 2, "not two")

    def rerank_refused(model, base):
        asked = {"model": model, "query": QUERY, "documents": DOCUMENTS, "api_base": f"{given['url']}{base}"}
        try:
            got = litellm.rerank(api_key="no", **asked)
        except Exception as error:
            check("unauthorized" in str(error).lower(), error)
            return
        check(False, got)

    def refused_empty(provider, base):
        try:
            got = search(provider, base, query=" ")
        except Exception as error:
            check("400" in str(error) or "422" in str(error) or "query" in str(error).lower(), error)
            return
        check(False, got)

    case("searxng: country without a language", lambda: found("searxng", "/searxng", country="GB"))
    case("perplexity: a list of queries", lambda: found("perplexity", "/perplexity", query=["brass kettle", "ferry strike"]))
    case("perplexity: max_tokens_per_page", lambda: found("perplexity", "/perplexity", max_tokens_per_page=256))
    for provider, base in PROVIDERS.items():
        case(f"{provider}: search", lambda: found(provider, base))
        case(f"{provider}: max_results", lambda: limited(provider, base))
        case(f"{provider}: domains, country", lambda: within(provider, base))
        case(f"{provider}: asearch", lambda: awaited(provider, base))
        case(f"{provider}: error, wrong key", lambda: refused(provider, base))
        case(f"{provider}: error, empty query", lambda: refused_empty(provider, base))
    for model, base in RERANKERS.items():
        case(f"rerank {model}", lambda: rerank(model, base))
        case(f"rerank {model}: top_n", lambda: top(model, base))
        case(f"rerank {model}: error, wrong key", lambda: rerank_refused(model, base))


# What LiteLLM's name of a provider is asked at.
PROVIDERS = {
    "searxng": "/searxng",
    "firecrawl": "/v1",
    "tavily": "/tavily",
    "exa_ai": "/exa",
    "brave": "/brave/res/v1/web/search",
    "serper": "/serper",
    "perplexity": "/perplexity",
}
RERANKERS = {"jina_ai/jina-reranker-v2-base-multilingual": "/jina", "cohere/rerank-v3.5": ""}


RUNS = {"sdk-v1": run_sdk_v1, "searx": run_searx, "brave": run_brave, "jina": run_jina, "litellm": run_litellm}
