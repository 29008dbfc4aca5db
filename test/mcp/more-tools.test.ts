// Monitors, research, ratings and credits as an assistant calls them, and the resources and prompts, with
// the official clients of both generations against a real service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { RESOURCES } from '../../src/mcp/resources/resources.ts';
import { DEFAULT_MAX_ANSWER } from '../../src/mcp/server.ts';
import { apiOf, connectMcpClients, type McpClients } from '../support/mcp.ts';
import { makePdf } from '../support/pdf.ts';
import { type CataloguePaper, type Catalogues, startCatalogues } from '../support/search/catalogues.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { page, reply } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const NETS: CataloguePaper = {
  title: 'Attention is all that nets need to learn',
  abstract: 'We show that attention alone lets neural nets translate sentences.',
  authors: [['Ada', 'Fisher']],
  date: '2017-06-12',
  arxiv: '1706.03762',
  openalex: 'W101',
  related: ['W102'],
  in: ['arxiv', 'openalex'],
};
const SENSORS: CataloguePaper = {
  title: 'Nets of glucose sensors in clinical wards',
  abstract: 'Nets of small sensors measured glucose in forty patients.',
  authors: [['Lin', 'Wei']],
  date: '2020-02-03',
  openalex: 'W102',
  in: ['openalex'],
};
const REPO = {
  full_name: 'acme/client',
  description: 'An HTTP client',
  readme: '# client\n\nRetries use exponential backoff with jitter.',
  license: 'MIT',
  stars: 500,
  issues: [{ number: 1234, title: 'Retries ignore 429', body: 'The backoff never runs, because 429 is final.' }],
};
const PARAGRAPHS = 3_000;
const LONG = Array.from({ length: PARAGRAPHS }, (_, at) => `<p>Paragraph ${at} of a text that is far too long.</p>`);

let web: Web;
let catalogues: Catalogues;
let service: RunningService;
let api: ReturnType<typeof apiOf>;
let clients: McpClients;

before(async () => {
  const pdf = makePdf([{ heading: 'Attention', lines: ['Attention divides the scores by the square root.'] }]);
  web = await startWeb({
    'long.test': { '/': reply(page('A long page', `<main>${LONG.join('')}</main>`)) },
    'leaves.test': {
      '/': reply(page('Leaves', '<p>Leaves of a tree.</p><a href="/oak">Oak</a> <a href="/elm">Elm</a>')),
      '/oak': reply(page('Oak', '<p>The oak is an old tree.</p>')),
      '/elm': reply(page('Elm', '<p>The elm is a rare tree.</p>')),
    },
  });
  catalogues = await startCatalogues({
    papers: [NETS, SENSORS],
    repos: [REPO],
    files: { '/arxiv/pdf/1706.03762': { type: 'application/pdf', bytes: pdf } },
  });
  service = await startServiceHereWith(web, {
    ...catalogues.settings,
  });
  api = apiOf(service);
  clients = await connectMcpClients({ api });
  // The clients check answers against the schemas of tools that they know.
  await clients.modern.listTools();
  await clients.legacy.listTools();
});
after(async () => {
  await clients?.close();
  await api?.close();
  await service?.stop();
  await Promise.all([web?.stop(), catalogues?.stop()]);
});

type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the tests read fields of answers of all kinds.
type Answer = Record<string, any>;

const callModern = (name: string, args: Fields) =>
  clients.modern.callTool({ name: `firecrawl_${name}`, arguments: args });
const callLegacy = async (name: string, args: Fields) =>
  (await clients.legacy.callTool({ name: `firecrawl_${name}`, arguments: args })) as CallToolResult;
const textOf = ({ content }: CallToolResult) => (content[0] as { text: string }).text;

async function ask(name: string, args: Fields, call = callModern): Promise<Answer> {
  const result = await call(name, args);
  assert.ok(!result.isError, textOf(result));
  assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
  return result.structuredContent as Answer;
}
/** A call that changes nothing is made by both generations. */
async function look(name: string, args: Fields): Promise<Answer> {
  const answer = await ask(name, args);
  assert.deepEqual(Object.keys(await ask(name, args, callLegacy)), Object.keys(answer));
  return answer;
}
async function refused(name: string, args: Fields): Promise<string> {
  const result = await callModern(name, args);
  assert.equal(result.isError, true, textOf(result));
  return textOf(result);
}

describe('monitors', () => {
  test('a page and a goal make a monitor, whose check is started, read and listed; then it is paused and deleted', async () => {
    const url = web.url('leaves.test', '/oak');
    const { data: made } = await ask('monitor_create', {
      page: url,
      goal: ' The age ',
      scheduleText: 'hourly',
      pages: null,
    });
    assert.deepEqual([made.name, made.goal, made.targets[0].urls], [`Monitor ${url}`, 'The age', [url]]);
    const { id } = made;
    assert.equal((await look('monitor_get', { id })).data.id, id);
    assert.ok((await look('monitor_list', { limit: '5' })).data.some((each: Fields) => each.id === id));
    const { data: check } = await ask('monitor_run', { id });
    let seen = await ask('monitor_check', { id, checkId: check.id });
    while (['queued', 'running'].includes(seen.data.status)) {
      await sleep(200);
      seen = await ask('monitor_check', { id, checkId: check.id, pageStatus: 'new' });
    }
    assert.deepEqual([seen.data.status, seen.data.pages[0].url], ['completed', url]);
    assert.equal((await look('monitor_checks', { id, status: 'completed' })).data[0].id, check.id);
    const paused = await ask('monitor_update', { id, body: { status: 'paused' } });
    assert.deepEqual([paused.data.status, paused.data.nextRunAt], ['paused', null]);
    assert.equal((await ask('monitor_delete', { id })).success, true);
    assert.match(await refused('monitor_get', { id }), /MONITOR_NOT_FOUND/);
  });

  test('queries become a search target with its options, an e-mail address a notification', async () => {
    const { data } = await ask(
      'monitor_create',
      {
        queries: ['oak disease', ' '],
        page: web.url('leaves.test'),
        goal: 'New diseases',
        searchWindow: '7d',
        maxResults: 5,
        includeDomains: ['leaves.test'],
        email: 'ada@example.com',
        timezone: 'Europe/Berlin',
        unknownArgument: 1,
      },
      callLegacy,
    );
    const [scrape, search] = data.targets;
    assert.deepEqual(
      [scrape.type, search.type, search.queries, search.searchWindow, search.includeDomains],
      ['scrape', 'search', ['oak disease'], '7d', ['leaves.test']],
    );
    assert.deepEqual(data.notification.email.recipients, ['ada@example.com']);
    assert.equal(data.schedule.timezone, 'Europe/Berlin');
    await ask('monitor_delete', { id: data.id });
  });

  test('the long form is sent as it is, also if a model writes it as a text', async () => {
    const body = {
      name: 'Leaves',
      schedule: { cron: '0 9 * * *' },
      targets: [{ type: 'crawl', url: web.url('leaves.test') }],
    };
    const { data } = await ask('monitor_create', { body: JSON.stringify(body) });
    assert.deepEqual([data.name, data.targets[0].type], ['Leaves', 'crawl']);
    await ask('monitor_delete', { id: data.id });
  });

  test('what is missing or wrong is said in a sentence', async () => {
    assert.match(await refused('monitor_create', { goal: 'News' }), /Set `page` or `pages`/);
    assert.match(await refused('monitor_create', { queries: ['oak'] }), /goal/);
    assert.match(
      await refused('monitor_create', { page: web.url('leaves.test'), scheduleText: 'now and then' }),
      /schedule/i,
    );
    assert.match(await refused('monitor_update', { id: UNKNOWN, body: {} }), /at least one field/);
    assert.match(await refused('monitor_check', { id: UNKNOWN, checkId: 'x' }), /NOT_FOUND/);
    assert.match(await refused('monitor_get', {}), /`id`/);
  });
});

describe('research', () => {
  test('papers are searched, shown, followed and read', async () => {
    const { results } = await look('research_search_papers', {
      query: 'attention in neural nets',
      k: 5,
      authors: 'Fisher',
    });
    assert.equal(results[0].title, NETS.title);
    const paperId = results[0].primaryId as string;
    assert.equal((await look('research_inspect_paper', { paperId })).paper.title, NETS.title);
    const related = await look('research_related_papers', { seed_ids: [paperId], intent: 'sensors', mode: 'similar' });
    assert.deepEqual(
      related.results.map(({ title }: Fields) => title),
      [SENSORS.title],
    );
    const { passages } = await look('research_read_paper', { paperId, question: 'What divides the scores?', k: 1 });
    assert.match(passages[0].text, /square root/);
    assert.match(await refused('research_inspect_paper', { paperId: 'arxiv:none' }), /Code: /);
  });

  test('issues and READMEs are found', async () => {
    for (const name of ['developer_search', 'research_search_github']) {
      const { results } = await look(name, { query: 'backoff 429', k: 5 });
      assert.ok(
        results.some(({ url }: { url: string }) => url.includes('acme/client')),
        name,
      );
    }
    assert.match(await refused('developer_search', { query: 'x', skills: 'some' }), /skills/);
  });
});

test('searches and scrapes are rated, and a rating without a reason is refused', async () => {
  const { id: searchId } = await ask('search', { query: 'oak' });
  const rating = { searchId, rating: 'partial', missingContent: [{ topic: 'prices' }] };
  assert.match((await ask('search_feedback', rating)).feedbackId, /./);
  assert.match(await refused('search_feedback', { searchId, rating: 'good' }), /valuableSources/);
  const { metadata } = await ask('scrape', { url: web.url('leaves.test') });
  const rated = { endpoint: 'scrape', jobId: metadata.scrapeId, rating: 'bad', issues: 'missing_content', note: null };
  assert.equal((await ask('feedback', rated, callLegacy)).success, true);
  assert.match(await refused('feedback', { endpoint: 'alexandria', rating: 'bad' }), /endpoint/);
});

test('credits are shown for this month, or month by month', async () => {
  assert.ok((await look('credit_usage', {})).remainingCredits > 0);
  assert.ok(Array.isArray((await look('credit_usage', { byApiKey: true })).periods));
  assert.ok(Array.isArray((await look('credit_usage', { view: 'historical' })).periods));
  assert.match(await refused('credit_usage', { view: 'current', byApiKey: true }), /historical/);
});

test('the marketplace of the public server is refused with what to call instead', async () => {
  const text = await refused('find_tools', { query: 'flat prices', level: 'tools' });
  assert.match(text, /Call firecrawl_search with the query "flat prices"/);
});

test('interacting needs a page and something to do', async () => {
  assert.match(await refused('interact', { url: web.url('leaves.test') }), /`prompt`/);
  assert.match(await refused('interact', { code: 'page.url()' }), /`url`/);
  assert.match(await refused('interact_stop', { scrapeId: UNKNOWN }), /Code: /);
});

const read = async (uri: string) => {
  const { contents } = await clients.modern.readResource({ uri });
  const { contents: seenByLegacy } = await clients.legacy.readResource({ uri });
  assert.deepEqual(seenByLegacy, contents);
  return contents as { uri: string; mimeType: string; text: string }[];
};

describe('resources', () => {
  test('a long page is read on to its end, within the budget of each read', async () => {
    const { metadata } = await ask('scrape', { url: web.url('long.test') });
    let uri: string | undefined = `trawl://scrape/${metadata.scrapeId}`;
    let whole = '';
    while (uri !== undefined) {
      const [part] = await read(uri);
      assert.equal(part!.uri, uri);
      assert.equal(part!.mimeType, 'text/markdown');
      assert.ok(part!.text.length <= DEFAULT_MAX_ANSWER);
      uri = /Continue with the resource (trawl:\S+)\]$/.exec(part!.text)?.[1];
      whole += part!.text.replace(/\n\n\[Characters \d+ to \d+ of \d+\. Continue with .*\]$/, '');
    }
    const found = [...whole.matchAll(/Paragraph (\d+) of a text that is far too long\./g)].map(([, at]) => Number(at));
    assert.deepEqual(
      found,
      Array.from({ length: PARAGRAPHS }, (_, at) => at),
    );
  });

  test('another format of a scrape is read by its name', async () => {
    const { metadata } = await ask('scrape', { url: web.url('leaves.test'), formats: ['markdown', 'links', 'html'] });
    const at = `trawl://scrape/${metadata.scrapeId}`;
    const [links] = await read(`${at}?format=links`);
    assert.deepEqual(JSON.parse(links!.text), [web.url('leaves.test', '/oak'), web.url('leaves.test', '/elm')]);
    assert.equal((await read(`${at}?format=html`))[0]!.mimeType, 'text/html');
    await assert.rejects(read(`${at}?format=json`), /The scrape has no json\. It has: /);
  });

  test('the pages of a crawl follow its state, each as the resource of its scrape', async () => {
    const { id } = await api.call('crawl', { body: { url: web.url('leaves.test'), limit: 5 } });
    const uri = `trawl://crawl/${id}/pages`;
    const state = async () => (await clients.modern.readResource({ uri })).contents[0] as { text: string };
    while (!(await state()).text.includes('completed')) await sleep(200);
    const contents = await read(uri);
    assert.match(contents[0]!.text, /3 of 3 pages are done\.\nThese are the pages 1 to 3\.$/);
    assert.equal(contents.length, 4);
    const [, first] = contents;
    const [alone] = await read(first!.uri);
    assert.match(first!.text, /^Source: http/);
    assert.ok(first!.text.endsWith(alone!.text));
    const rest = await read(`trawl://crawl/${id}/pages?skip=2`);
    assert.equal(rest.length, 2);
    assert.match((await read(`trawl://crawl/${id}/pages?skip=9`))[0]!.text, /no pages from 10 on/);
  });

  test('the list has the newest results and the manual, and templates for the rest', async () => {
    const { resources } = await clients.modern.listResources();
    const { resources: seenByLegacy } = await clients.legacy.listResources();
    assert.deepEqual(seenByLegacy, resources);
    assert.ok(resources.some(({ uri, name }) => uri.startsWith('trawl://scrape/') && name.includes('long.test')));
    const chapter = resources.find(({ uri }) => uri === 'trawl://docs/use/mcp');
    assert.deepEqual([chapter?.title, chapter?.mimeType], ['Manual: MCP', 'text/markdown']);
    assert.equal(Buffer.byteLength((await read('trawl://docs/use/mcp'))[0]!.text), chapter!.size);
    const { resourceTemplates } = await clients.legacy.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      RESOURCES.map(({ template }) => template),
    );
  });

  test('a chapter of the manual is read by the name that it had in earlier versions, too', async () => {
    const [chapter] = await read('trawl://docs/25-mcp');
    assert.deepEqual([chapter], await read('trawl://docs/use/mcp'));
  });

  test('a URI that names nothing is an error of the protocol that says why', async () => {
    for (const [uri, reason] of [
      [`trawl://scrape/${UNKNOWN}`, /not found/i],
      ['trawl://scrape/nonsense', /ID/],
      ['trawl://scrape/', /templates are/],
      ['trawl://scrape/%E0%A4%A', /templates are/],
      [`trawl://crawl/${UNKNOWN}/pages?skip=-1`, /whole number/],
      [`trawl://agent/${UNKNOWN}`, /not found/i],
      [`trawl://extract/${UNKNOWN}`, /not found/i],
      ['trawl://docs/99-nothing', /no such chapter/],
      ['trawl://docs/use/nothing', /no such chapter/],
      ['trawl://docs/use/start/deeper', /no such chapter/],
      ['trawl://docs/..%2Fpackage.json', /no such chapter/],
      ['trawl://docs/..%2F..%2Fpackage.json', /no such chapter/],
      ['trawl://docs/use/start?offset=999999999', /ends at the offset/],
      ['trawl://other/thing', /templates are/],
      ['file:///etc/passwd', /templates are/],
    ] as const) {
      const error = await clients.modern.readResource({ uri }).then(
        () => assert.fail(`${uri} can be read`),
        (reason: Error & { code: number; data: unknown }) => reason,
      );
      assert.match(error.message, reason, uri);
      assert.deepEqual([error.code, error.data], [-32_602, { uri }]);
    }
  });
});

describe('prompts', () => {
  test('each is listed, needs its required arguments, and names only tools that exist', async () => {
    const { prompts } = await clients.modern.listPrompts();
    assert.deepEqual((await clients.legacy.listPrompts()).prompts, prompts);
    const tools = new Set((await clients.modern.listTools()).tools.map(({ name }) => name));
    for (const { name, arguments: list = [] } of prompts) {
      await assert.rejects(clients.modern.getPrompt({ name, arguments: { [list[0]!.name]: ' ' } }), /needs: /);
      const args = Object.fromEntries(list.map((each) => [each.name, `<${each.name}>`]));
      const { messages } = await clients.legacy.getPrompt({ name, arguments: args });
      const { text } = messages[0]!.content as { text: string };
      for (const each of list) assert.ok(text.includes(`<${each.name}>`), `${name} uses ${each.name}`);
      for (const [tool] of text.matchAll(/firecrawl_\w+/g)) assert.ok(tools.has(tool), `${name} names ${tool}`);
    }
    await assert.rejects(clients.modern.getPrompt({ name: 'unknown' }), /There are: research/);
  });

  test('arguments and variables of templates are completed', async () => {
    const complete = async (ref: Parameters<typeof clients.modern.complete>[0]['ref'], name: string, value: string) =>
      (await clients.modern.complete({ ref, argument: { name, value } })).completion.values;
    assert.deepEqual(await complete({ type: 'ref/prompt', name: 'watch_page' }, 'schedule', 'H'), ['hourly']);
    assert.deepEqual(await complete({ type: 'ref/prompt', name: 'watch_page' }, 'url', ''), []);
    const templateOf = (kind: string) => RESOURCES.find(({ name }) => name === kind)!.template;
    const chapters = await complete({ type: 'ref/resource', uri: templateOf('docs') }, 'chapter', 'use/m');
    assert.deepEqual(chapters, ['use/media', 'use/monitors', 'use/mcp']);
    assert.ok((await complete({ type: 'ref/resource', uri: templateOf('scrape') }, 'id', '')).length > 0);
    assert.deepEqual(await complete({ type: 'ref/resource', uri: 'trawl://none/{id}' }, 'id', ''), []);
  });
});
