# The SDKs of Tavily, Exa and Cohere, as named cases.
import asyncio

from outcomes import DOCUMENTS, QUERY, case, check, fails, given

QUESTION = "What is in the herbal?"
NOWHERE = "http://nowhere.test/"


def no_tokenizer():
    """Why tokens cannot be counted: the client downloads its vocabulary."""
    import requests
    import tiktoken

    try:
        tiktoken.encoding_for_model("gpt-3.5-turbo")
    except requests.RequestException:
        return "the client counts tokens with a vocabulary that it cannot download here"


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


RUNS = {"tavily": run_tavily, "exa": run_exa, "cohere": run_cohere}
