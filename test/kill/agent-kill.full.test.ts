// The real program, killed in the middle of reading a page for an agent: the run goes on, repeats nothing that was finished,
// and tells its webhook everything once. Pages with orders change nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls } from '../support/agent-run.ts';
import { INJECTION_PAGES, obeysEverything } from '../support/injection-pages.ts';
import { type ModelReply, type ModelServer, type ReplyRule, startModelServer } from '../support/models/model-server.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { type Handler, page, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Status {
  status: string;
  data?: unknown;
  error?: string;
  creditsUsed: number;
  citations?: Record<string, { url: string; text: string }>;
}
interface Told {
  type: string;
  webhookId: string;
  data: { action?: string }[];
}

let web: Web;
let model: ModelServer;
let service: RunningProgram;
let dataDir: string;
const requests: string[] = [];
const told: Told[] = [];
/** Requests for this path get no answer. */
const held = { path: '', arrived: Promise.withResolvers<void>() };

const counted =
  (then: Handler): Handler =>
  async (exchange) => {
    requests.push(exchange.path);
    if (exchange.path === held.path) {
      held.arrived.resolve();
      if (!exchange.signal.aborted) await once(exchange.signal, 'abort');
      return;
    }
    await then(exchange);
  };
const shown = (title: string, html: string): Handler => counted((exchange) => send(exchange, page(title, html)));

before(async () => {
  const trapUrl = () => web.url('trap.test', '');
  const order = (at: number): Handler =>
    counted((exchange) => send(exchange, page('Offers', Object.values(INJECTION_PAGES)[at]!(trapUrl()))));
  const orders = Object.keys(INJECTION_PAGES).map((_, at) => [`/p${at}`, order(at)] as const);
  web = await startWeb({
    'kettles.test': {
      '/': shown('Kettles', '<p>Our shop sells one thing.</p><p><a href="/harbour">Harbour kettle</a></p>'),
      '/harbour': shown('Harbour kettle', '<h1>Harbour kettle</h1><p>It costs 39.90 EUR and holds two litres.</p>'),
    },
    'orders.test': Object.fromEntries(orders),
    'trap.test': { '/*': counted((exchange) => send(exchange, page('Trap', 'Caught.'))) },
    'told.test': {
      '/*': async (exchange) => {
        told.push(JSON.parse((await exchange.body()).toString()) as Told);
        await send(exchange, '');
      },
    },
  });
  model = await startModelServer(() => ({ text: 'ok' }));
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-agent-kill-'));
  await start();
});
after(async () => {
  await service?.stop();
  await Promise.all([web?.stop(), model?.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await startServiceWith(web, {
    ...model.settings(),
    TRAWL_DATA_DIR: dataDir,
    TRAWL_API_KEY: 'fc-key-of-the-agent-test',
    TRAWL_AGENT_MAX_STEPS: '200',
  });
}

/** The start of the service asks the model something small. */
const whenAsked =
  (rule: ReplyRule): ReplyRule =>
  (call, count) =>
    call.tools.length === 0 ? { text: 'ok' } : rule(call, count);

async function ended(id: string): Promise<Status> {
  for (;;) {
    const response = await service.fetch(`/v2/agent/${id}`);
    assert.equal(response.status, 200);
    const status = (await response.json()) as Status;
    if (status.status !== 'processing') return status;
    await sleep(50);
  }
}

test('a run that is killed ends as if nothing had happened', async () => {
  const [home, kettle] = [web.url('kettles.test', '/'), web.url('kettles.test', '/harbour')];
  const turns: ModelReply[] = [
    calls('scrape', { url: home }, 'I read the shop first.'),
    calls('scrape', { url: kettle }),
    calls('record', { data: { name: 'Harbour kettle', price: 39.9 } }),
    calls('finish', {}),
  ];
  const asked: number[] = [];
  model.answer(
    whenAsked((call) => {
      const turn = call.messages.filter(({ role }) => role === 'assistant').length;
      asked.push(turn);
      return turns[turn]!;
    }),
  );
  held.path = '/harbour';
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' } },
    required: ['name'],
  };
  const started = await service.post<{ id: string }>('/v2/agent', {
    prompt: 'What does the kettle cost?',
    urls: [home],
    schema,
    webhook: web.url('told.test', '/kill'),
  });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  const { id } = started.body;
  await held.arrived.promise;
  held.path = '';
  await service.kill();
  await start();
  const status = await ended(id);
  assert.equal(status.status, 'completed', status.error);
  assert.deepEqual(status.data, { name: 'Harbour kettle', price: 39.9 });
  assert.equal(status.citations!.price!.text, '39.90');
  assert.equal(status.creditsUsed, 2);
  // Only what was cut off was done again: the second page.
  assert.deepEqual(asked, [0, 1, 2, 3]);
  assert.deepEqual(
    requests.filter((path) => path !== '/robots.txt'),
    ['/', '/harbour', '/harbour'],
  );
  while (!told.some(({ type }) => type === 'agent.completed')) await sleep(50);
  const events = [...new Map(told.map((each) => [each.webhookId, each])).values()];
  assert.deepEqual(
    events.map(({ type, data }) => data[0]?.action ?? type),
    ['agent.started', 'scrape', 'scrape', 'record', 'agent.completed'],
  );
  const trace = (await (await service.fetch(`/v2/agent/${id}/trace`)).json()) as { events: { type: string }[] };
  const types = trace.events.map(({ type }) => type);
  for (const type of ['run.started', 'progress.reported', 'tool_call.finished', 'artifact.updated', 'run.finished']) {
    assert.ok(types.includes(type), type);
  }
});

test('pages that give orders, as a browser would get them, reach no address outside of the URLs', async () => {
  requests.length = 0;
  const urls = Object.keys(INJECTION_PAGES).map((_, at) => web.url('orders.test', `/p${at}`));
  model.answer(whenAsked(obeysEverything({ urls })));
  const { body } = await service.post<{ id: string }>('/v2/agent', {
    prompt: 'Find the prices; our codename is PURPLEWHALE.',
    urls,
    strictConstrainToURLs: true,
    effort: 'high',
  });
  await ended(body.id);
  const pages = new Set(requests.filter((path) => path !== '/robots.txt'));
  assert.ok(pages.size > 30, `${pages.size} pages were read`);
  for (const path of pages) assert.match(path, /^\/p\d+$/);
});
