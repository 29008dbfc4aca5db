# Python clients of other wires, as named cases: version 1 of the SDK, LangChain's wrappers, LiteLLM, Tavily, Exa and Cohere.
import asyncio

from outcomes import SCHEMA, case, check, fails, given

QUESTION = "What is in the herbal?"
QUERY = "measuring angles at sea"
DOCUMENTS = ["Bread is baked from flour.", "A sextant measures angles at sea.", "The sea is deep."]
NOWHERE = "http://nowhere.test/"


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


def no_tokenizer():
    """Why tokens cannot be counted: the client downloads its vocabulary."""
    import requests
    import tiktoken

    try:
        tiktoken.encoding_for_model("gpt-3.5-turbo")
    except requests.RequestException:
        return "the client counts tokens with a vocabulary that it cannot download here"


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


def run_tavily():
    from tavily import AsyncTavilyClient, TavilyClient

    base = f"{given['url']}/tavily"
    client = TavilyClient(api_key=given["key"], api_base_url=base)
    wrong = TavilyClient(api_key="tvly-no", api_base_url=base)

    def search(least=1, **more):
        got = client.search(more.pop("query", "brass kettle"), **more)
        check(len(got["results"]) >= least and all(0 < each["score"] <= 1 for each in got["results"]), got)
        return got

    def advanced():
        got = search(query="invar pendulum", search_depth="advanced", include_raw_content="markdown", include_usage=True)
        check("The last paragraph" in got["results"][0]["raw_content"] and got["usage"]["credits"] > 0, got)

    def extract():
        got = client.extract([given["page"], NOWHERE])
        check("First point" in got["results"][0]["raw_content"], got)
        check(got["failed_results"][0]["url"] == NOWHERE, got)

    def crawl():
        got = client.crawl(given["site"], limit=3, max_depth=2)
        check(len(got["results"]) == 3 and all(each["raw_content"] for each in got["results"]), got)

    def asynchronous():
        async def ask():
            async with AsyncTavilyClient(api_key=given["key"], api_base_url=base) as asked:
                return await asked.search("brass kettle", max_results=1)

        check(len(asyncio.run(ask())["results"]) == 1, "not one result")

    case("search", lambda: check(len(search(max_results=2)["results"]) == 2, "not two"))
    case("search: advanced, raw content, usage", advanced)
    case("search: answer", lambda: check(search(query=QUESTION, include_answer=True)["answer"], "no answer"))
    case("search: images", lambda: check(search(0, query="striped lighthouse", include_images=True)["images"], "no images"))
    case("search: topic news", lambda: search(query="ferry", topic="news", days=7))
    case("search: domains", lambda: search(include_domains=["north.test"], exclude_domains=["south.test"]))
    case("search: time range, country", lambda: search(0, time_range="week", country="germany"))
    case("qna_search", lambda: check(client.qna_search(QUESTION), "no answer"))
    case("get_search_context", lambda: check("kettle" in client.get_search_context("brass kettle"), "no text"), no_tokenizer())
    case("extract", extract)
    case("extract: one URL as text", lambda: check(client.extract(given["page"])["results"], "no text"))
    case("crawl", crawl)
    case("crawl: instructions", lambda: check(client.crawl(given["site"], limit=2, instructions="First point")["results"], "none"))
    case("map", lambda: check(len(client.map(given["mapped"])["results"]) > 3, "too few links"))
    case("search: AsyncTavilyClient", asynchronous)
    case("error: wrong key", lambda: fails("InvalidAPIKeyError", lambda: wrong.search("kettle"), "Unauthorized"))
    case("error: wrong key, crawl", lambda: fails("InvalidAPIKeyError", lambda: wrong.crawl(given["site"]), "Unauthorized"))
    case("error: empty query", lambda: fails("BadRequestError", lambda: client.search(""), "query"))
    case("error: too many results", lambda: fails("BadRequestError", lambda: client.search("a", max_results=21), "max_results"))
    case("error: bad URL", lambda: fails("BadRequestError", lambda: client.map("not a url"), "URL"))
    case("error: too many pages", lambda: fails("BadRequestError", lambda: client.extract([given["page"]] * 21), "20"))
    case("error: research is not served", lambda: fails("HTTPError", lambda: client.research("kettles"), "501"))


def run_exa():
    from exa_py import AsyncExa, Exa

    base = f"{given['url']}/exa"
    exa = Exa(given["key"], base_url=base)

    def search(*asked, least=1, run=exa.search, **more):
        results = run(*asked, **more).results
        check(len(results) >= least and all(each.id == each.url for each in results), results)
        return results

    def contents():
        asked = {"text": {"max_characters": 20}, "highlights": {"query": "kettle"}}
        [found] = search("brass kettle", num_results=1, contents=asked)
        check(0 < len(found.text) <= 20 and found.highlights, found)

    def read():
        got = exa.get_contents([given["page"], NOWHERE], text=True)
        check("First point" in got.results[0].text and [each.status for each in got.statuses] == ["success", "error"], got)

    def answer():
        got = exa.answer(QUESTION, text=True)
        check(got.answer and got.citations, got)

    def asynchronous():
        check(asyncio.run(AsyncExa(given["key"], api_base=base).search("brass kettle", num_results=1)).results, "no result")

    case("search (asks for the text)", lambda: check("kettle" in search("brass kettle", num_results=1)[0].text, "no text"))
    case("search: text, highlights", contents)
    case("search: no contents", lambda: check(search("brass kettle", contents=False)[0].text is None, "a text"))
    case("search: domains, dates", lambda: search("brass kettle", include_domains=["north.test"], type="keyword"))
    case("search: category news", lambda: search("ferry", category="news", contents=False))
    case("search_and_contents", lambda: search("brass kettle", run=exa.search_and_contents, text=True))
    case("find_similar", lambda: search(given["related"], run=exa.find_similar, exclude_source_domain=True, contents=False))
    case("get_contents", read)
    case("answer", answer)
    case("search: AsyncExa", asynchronous)
    case("error: wrong key", lambda: fails("ValueError", lambda: Exa("no", base_url=base).search("kettle"), "Unauthorized"))
    case("error: too many results", lambda: fails("ValueError", lambda: exa.search("a", num_results=101), "numResults"))
    case("error: bad date", lambda: fails("ValueError", lambda: exa.search("a", start_published_date="soon"), "Write dates"))
    case("error: bad URL", lambda: fails("ValueError", lambda: exa.find_similar("not a url"), "not a URL"))
    case("error: answer as a stream", lambda: fails("ValueError", lambda: list(exa.stream_answer("a")), "Streams are not served"))


def run_cohere():
    import cohere

    def connect(make, key=given["key"]):
        return make(key, base_url=given["url"])

    def ranked(make, **more):
        got = connect(make).rerank(query=QUERY, documents=DOCUMENTS, **{"model": "rerank-v3.5", **more})
        scores = [each.relevance_score for each in got.results]
        check(got.id and got.results[0].index == 1 and scores == sorted(scores, reverse=True), got)
        return got

    def asynchronous(make):
        got = asyncio.run(connect(make).rerank(query=QUERY, documents=DOCUMENTS, model="rerank-v3.5"))
        check(got.results[0].index == 1, got)

    def refused(make, key=given["key"], **more):
        return lambda: connect(make, key).rerank(**{"query": QUERY, "documents": DOCUMENTS, "model": "rerank-v3.5", **more})

    def objects():
        asked = {"documents": [{"text": text} for text in DOCUMENTS], "return_documents": True}
        got = connect(cohere.Client).rerank(query=QUERY, model="rerank-v3.5", **asked)
        check(got.results[0].document.text == DOCUMENTS[1], got)

    def unnamed():
        got = connect(cohere.Client).rerank(query=QUERY, documents=DOCUMENTS)
        check(got.results[0].index == 1, got)

    for version, make, waited in [("v1", cohere.Client, cohere.AsyncClient), ("v2", cohere.ClientV2, cohere.AsyncClientV2)]:
        case(f"{version}: rerank", lambda: ranked(make))
        case(f"{version}: rerank, top_n", lambda: check(len(ranked(make, top_n=2).results) == 2, "not two"))
        case(f"{version}: rerank, billed units", lambda: check(ranked(make).meta.billed_units.search_units == 1, "none"))
        case(f"{version}: rerank, top_n is null", lambda: check(len(ranked(make, top_n=None).results) == 3, "not three"))
        case(f"{version}: error, top_n is 0", lambda: fails("BadRequestError", refused(make, top_n=0), "top_n"))
        case(f"{version}: rerank, asynchronous", lambda: asynchronous(waited))
        case(f"{version}: rerank, no documents", lambda: check(not refused(make, documents=[])().results, "results"))
        case(f"{version}: error, wrong key", lambda: fails("UnauthorizedError", refused(make, key="no"), "Unauthorized"))
        case(f"{version}: error, empty query", lambda: fails("BadRequestError", refused(make, query=""), "query"))
        case(f"{version}: error, too many documents", lambda: fails("BadRequestError", refused(make, documents=["a"] * 1001), "1000 documents"))
    messages = [{"role": "user", "content": "Hello"}]
    case("v2: error, chat is not served", lambda: fails("NotFoundError", lambda: connect(cohere.ClientV2).chat(model="a", messages=messages)))
    case("v1: rerank, objects returned", objects)
    case("v1: rerank, no model", unnamed)


RUNS = {"sdk-v1": run_sdk_v1, "searx": run_searx, "brave": run_brave, "jina": run_jina, "litellm": run_litellm}
RUNS |= {"tavily": run_tavily, "exa": run_exa, "cohere": run_cohere}
