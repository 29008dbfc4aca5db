// Every format that needs understanding, as the public clients read it: types in scrapes, batches, crawls and searches, with
// and without a language model, and which are refused with zero data retention.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Firecrawl } from 'firecrawl';
import { Firecrawl as Older } from 'firecrawl-4-24';
import { pythonSdk } from '../../scripts/python-sdk.mjs';
import { EXECUTABLE } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { fitting } from '../support/models/fitting-value.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { understoodSite } from '../support/web/understood-pages.ts';
import { startWeb, type Web } from '../support/web.ts';

type Doc = Record<string, unknown> & { warning?: string };
type Format = string | Record<string, unknown>;

const HOST = 'understood.test';
const PATHS = ['/', '/kettle', '/menu'];
const CLI = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');
const DRIVER = join(import.meta.dirname, '../support/python/drive_formats.py');
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' } },
  required: ['name'],
};
const RUN_DRIVER = join(import.meta.dirname, '../support/python/drive_runs.py');
const RUN = { prompt: 'The name and the price of the kettle', schema: SCHEMA };
/** The model does not answer it, so that the run lasts until it is cancelled. */
const UNANSWERED = 'The weight of the anvil';
const python = pythonSdk();
const NO_PYTHON = python ? false : 'the Python SDK is not installed';

/** In the order of the specification. */
const TEXTS: Format[] = [
  'markdown',
  'summary',
  { type: 'json', schema: SCHEMA },
  { type: 'question', question: 'How much water does the kettle hold?' },
  { type: 'highlights', query: 'litres of water' },
  'product',
  'menu',
];
const TRACKING = { type: 'changeTracking', modes: ['git-diff'] };
/** Formats that share a key with others. */
const ALONE: Record<string, Format[]> = {
  deterministicJson: [{ type: 'deterministicJson', schema: SCHEMA }],
  query: [{ type: 'query', prompt: 'How much water does the kettle hold?' }],
  quote: [{ type: 'query', prompt: 'litres of water', mode: 'directQuote' }],
};
const KEYS = ['summary', 'json', 'answer', 'highlights', 'product', 'menu'];

/** Formats to request together, of these pages, and the keys that they give. */
interface Pass {
  formats: Format[];
  paths: string[];
  keys: string[];
}
// Change tracking waits five seconds in a browser, so it is requested where there is none.
const TRACKED: Pass = { formats: [...TEXTS, TRACKING], paths: PATHS, keys: [...KEYS, 'changeTracking'] };
const PLAIN: Pass = { formats: TEXTS, paths: PATHS, keys: KEYS };
const RENDERED: Pass = { formats: ['markdown', 'branding'], paths: ['/'], keys: ['branding'] };

const scenes = {
  'without a language model': { isModelled: false, browser: 'off', passes: [TRACKED] },
  'with a language model': {
    isModelled: true,
    browser: 'auto',
    passes: EXECUTABLE === undefined ? [PLAIN] : [PLAIN, RENDERED],
  },
};

for (const [name, { isModelled, browser, passes }] of Object.entries(scenes)) {
  // The clients wait for jobs most of the time.
  describe(name, { concurrency: true }, () => {
    let web: Web;
    let models: ModelServer;
    let service: RunningService;
    before(async () => {
      web = await startWeb({ [HOST]: understoodSite });
      models = await startModelServer(({ schema, messages }) => {
        if (messages.some(({ text }) => text.includes(UNANSWERED))) return 'silence';
        return { text: schema ? fitting(schema) : 'Two litres.' };
      });
      service = await startServiceWith(web, {
        TRAWL_BROWSER: browser,
        PATH: process.env.PATH ?? '',
        TRAWL_TEAM_FEATURES: 'zdr',
        ...(isModelled && models.settings()),
      });
    });
    after(async () => {
      await service?.stop();
      await models?.close();
      await web?.stop();
    });
    const urlsOf = ({ paths }: Pass) => paths.map((path) => web.url(HOST, path));
    const client = () => new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    const ended = (id: string) =>
      until(
        () => client().getAgentStatus(id),
        ({ status }) => status !== 'processing',
      );
    const scrape = async (url: string, formats: Format[]) =>
      (await client().scrape(url, { formats: formats as never })) as unknown as Doc;

    test('the JS SDK reads every format', async () => {
      for (const pass of passes) {
        const { formats, keys, paths } = pass;
        const limit = paths.length;
        checkPages(await Promise.all(urlsOf(pass).map((url) => scrape(url, formats))), keys);
        const scrapeOptions = { formats: formats as never };
        const batch = await client().batchScrape(urlsOf(pass), { options: scrapeOptions, pollInterval: 1 });
        checkPages(batch.data as unknown as Doc[], keys);
        const crawl = await client().crawl(web.url(HOST, '/'), { limit, scrapeOptions, pollInterval: 1 });
        checkPages(crawl.data as unknown as Doc[], keys);
        const found = await client().search('Copper Kettle', { limit, scrapeOptions: searched(formats) as never });
        checkPages(found.web as unknown as Doc[], untracked(keys));
      }
      for (const formats of Object.values(ALONE)) checkTypes(await scrape(web.url(HOST, '/kettle'), formats));
    });

    test('the Python SDK accepts every answer', { skip: NO_PYTHON }, async () => {
      const driver = spawn(python!, [DRIVER], { timeout: 240_000 });
      const asked = passes.map((pass) => ({ ...pass, urls: urlsOf(pass), searched: searched(pass.formats) }));
      const site = web.url(HOST, '/');
      driver.stdin.end(JSON.stringify({ url: service.url, key: service.key, site, passes: asked, alone: ALONE }));
      const [stdout, stderr] = await Promise.all([text(driver.stdout), text(driver.stderr)]);
      assert.match(stdout, /^\{/, stderr);
      const results = JSON.parse(stdout) as Record<string, { value: Doc[]; error?: string }>;
      for (const [call, { error, value }] of Object.entries(results)) {
        assert.equal(error, undefined, call);
        for (const document of value) checkTypes(document);
      }
      for (const [number, { keys }] of passes.entries()) {
        const pythonKeys = keys.map((key) => (key === 'changeTracking' ? 'change_tracking' : key));
        for (const call of ['scrape', 'batch', 'crawl']) checkPages(results[`${call} ${number}`]!.value, pythonKeys);
        checkPages(results[`search ${number}`]!.value, untracked(keys));
      }
    });

    test('the JS SDKs run agents and extractions', async () => {
      const asked = { ...RUN, urls: [web.url(HOST, '/kettle')] };
      for (const Client of [Firecrawl, Older as unknown as typeof Firecrawl]) {
        const sdk = new Client({ apiKey: service.key, apiUrl: service.url });
        const [agent, extract] = await Promise.all([
          sdk.agent({ ...asked, strictConstrainToURLs: true, pollInterval: 1, timeout: 90 }),
          sdk.extract({ ...asked, showSources: true, pollInterval: 1, timeout: 90 }),
        ]);
        checkRun(agent, isModelled);
        checkRun(extract, isModelled);
        assert.equal(extract.success, true);
      }
      const busy = await client().startAgent({ ...RUN, urls: [web.url('fault.test', '/stalled-headers')] });
      await assert.rejects(client().startAgent({ ...asked, threadId: busy.threadId }), /has not ended/);
      await client().cancelAgent(busy.id);
      const { id, threadId } = await client().startAgent(asked);
      await ended(id);
      const [{ events = [] }, { agents = [] }] = await Promise.all([
        client().getAgentTrace(id, { liveView: true }),
        client().listAgents(),
      ]);
      assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['run.started', 'run.finished']);
      assert.ok(agents.some((run) => run.id === id));
      const shots = events.flatMap((event) => (event.type === 'artifact.updated' ? [event.artifact.snapshotId] : []));
      const snapshots = await Promise.all(shots.map((shot) => client().getAgentSnapshot(id, shot)));
      assert.ok(snapshots.every(({ snapshot }) => typeof snapshot === 'string'));
      const second = await client().startAgent({ ...asked, threadId });
      assert.equal(second.threadTurn, 2);
      assert.equal((await client().getAgentThread(threadId!)).thread?.runs.length, 2);
      await assert.rejects(client().startAgent({ ...asked, schema: { type: 'wrong' } }), /Invalid JSON schema: /);
    });

    test('the JS SDK cancels an agent, which is then failed', async () => {
      const urls = [web.url('fault.test', '/stalled-headers')];
      const { id } = await client().startAgent({ ...RUN, prompt: UNANSWERED, urls });
      assert.equal(await client().cancelAgent(id), true);
      const { status, error } = await ended(id);
      assert.deepEqual([status, error], ['failed', 'The run was cancelled.']);
    });

    test('the Python SDK accepts every answer of a run', { skip: NO_PYTHON }, async () => {
      const driver = spawn(python!, [RUN_DRIVER], { timeout: 240_000 });
      const urls = [web.url(HOST, '/kettle')];
      const stalled = web.url('fault.test', '/stalled-headers');
      const given = { ...RUN, urls, stalled, unanswered: UNANSWERED };
      driver.stdin.end(JSON.stringify({ url: service.url, key: service.key, ...given }));
      const [stdout, stderr] = await Promise.all([text(driver.stdout), text(driver.stderr)]);
      assert.match(stdout, /^\{/, stderr);
      const results = JSON.parse(stdout) as Record<string, { value: Record<string, Doc>; error?: string }>;
      for (const [call, { error }] of Object.entries(results)) assert.equal(error, undefined, call);
      const value = (call: string) => results[call]!.value;
      for (const run of [value('agent').first, value('agent').again, value('async').agent, value('async').extract]) {
        checkRun(run!, isModelled);
      }
      checkRun(value('extract'), isModelled);
      checkRun(value('started').status!, isModelled);
      assert.equal(value('started').job!.replacement, '/v2/scrape');
      const { status, error, stopReason } = value('cancelled').status!;
      assert.deepEqual([status, error, stopReason], ['failed', 'The run was cancelled.', 'cancelled']);
    });

    test('the command line prints them', async (t) => {
      const keys = passes.flatMap((pass) => pass.keys);
      const known = keys.filter((key) => ['summary', 'changeTracking', 'branding'].includes(key));
      const formats = ['--format', ['markdown', ...known].join()];
      const printed = await commandLine(t, service)('scrape', web.url(HOST, '/kettle'), ...formats, '--json');
      checkPages([JSON.parse(printed) as Doc], known);
    });

    // The scripted model answers with any value, so an agent finds nothing with it.
    test('the command line runs agents and monitors', { skip: isModelled }, async (t) => {
      const run = commandLine(t, service);
      const page = web.url(HOST, '/kettle');
      const find = ['agent', RUN.prompt, '--urls', page, '--schema', JSON.stringify(SCHEMA)];
      assert.match(await run(...find, '--wait', '--poll-interval', '1', '--timeout', '90', '--json'), /"status":/);
      const made = await run(
        'monitor',
        'create',
        '--name',
        'Kettle',
        '--schedule',
        'hourly',
        '--page',
        page,
        '--goal',
        'Price',
      );
      const [monitor] = UUID.exec(made) ?? [];
      assert.match(await run('monitor', 'list'), new RegExp(monitor!));
      const [check] = UUID.exec(await run('monitor', 'run', monitor!)) ?? [];
      assert.match(await run('monitor', 'checks', monitor!), new RegExp(check!));
      assert.match(await run('monitor', 'update', monitor!, '--state', 'paused'), /paused/);
      await run('monitor', 'delete', monitor!);
      await assert.rejects(run('monitor', 'get', monitor!), /Monitor not found/);
    });

    test('zero data retention names the formats that it leaves out, and serves the others', async () => {
      const formats = passes[0]!.formats;
      const request = { url: web.url(HOST, '/kettle'), formats, zeroDataRetention: true };
      const { status, body } = await service.scrape<{ data: Doc }>(request);
      assert.equal(status, 200, JSON.stringify(body));
      checkPages([body.data], ['summary', 'json', 'answer', 'highlights', 'product']);
      assert.equal(body.data.changeTracking, undefined);
      if (formats.includes(TRACKING)) assert.match(body.data.warning ?? '', /`changeTracking`/);
    });
  });
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The public command line with the service as its API and a home folder of its own. Resolves with what it prints. */
function commandLine(t: TestContext, { url, key }: RunningService): (...args: string[]) => Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const { PATH } = process.env;
  const quiet = { FIRECRAWL_NO_TELEMETRY: '1', FIRECRAWL_NO_UPDATE_CHECK: '1' };
  const env = { PATH, HOME: home, ...quiet, FIRECRAWL_API_URL: url, FIRECRAWL_API_KEY: key };
  return async (...args) => (await promisify(execFile)(process.execPath, [CLI, ...args], { env, cwd: home })).stdout;
}

/** Results of a search have no history. */
const searched = (formats: Format[]) => ({ formats: formats.filter((format) => format !== TRACKING) });
const untracked = (keys: string[]) => keys.filter((key) => key !== 'changeTracking');

/** Without a model, the values of the page are found. The model of this test knows none. */
function checkRun(run: object, isModelled: boolean): void {
  const { status, data, warning } = run as Doc;
  if (isModelled) assert.ok(status === 'completed' || status === 'failed', String(status));
  else assert.deepEqual([status, data], ['completed', { name: 'Harbour kettle', price: 129 }]);
  // The models of Python for agents do not have it.
  if (!isModelled && warning !== undefined) assert.match(warning, /without a language model/);
}

/** What a caller may rely on, whatever client it uses. Keys are those of the interface or of the Python models. */
function checkTypes(document: Doc): void {
  for (const key of ['summary', 'answer', 'highlights', 'warning']) {
    if (key in document) assert.equal(typeof document[key], 'string', key);
  }
  for (const key of ['branding', 'product', 'menu', 'changeTracking', 'change_tracking']) {
    const value = document[key];
    if (key in document) assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), key);
  }
}

/** Each key is on one of the pages at least: not every page is a product. */
function checkPages(documents: readonly Doc[], keys: readonly string[]): void {
  for (const document of documents) checkTypes(document);
  for (const key of keys) {
    const found = documents.some((document) => document[key] !== undefined);
    assert.ok(found, `no page has ${key}: ${documents.map(({ warning }) => warning).join('\n')}`);
  }
}
