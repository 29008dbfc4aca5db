// What the clients of a chaos run do. Each operation records what it was promised, and says what came of it.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../../../test/support/web/words.ts';
import { HOSTILE_PATHS } from './hostile.ts';
import type { Problems } from './problems.ts';
import type { Promises } from './promises.ts';
import type { Sites } from './sites.ts';
import { KEY, type Reply, type World } from './world.ts';

export interface Tools {
  world: World;
  sites: Sites;
  promises: Promises;
  problems: Problems;
  dice: Dice;
  /** Such as `step 12 (scrape)`. */
  step: string;
  number: number;
}

export interface Operation {
  /** How often it is chosen, compared with the others. */
  weight: number;
  needsBrowser?: true;
  /** Returns its outcome in a word, for the summary. */
  run(tools: Tools): Promise<string>;
}

/** Secrets that no file may hold in the end, each sent in its own way. */
export const CANARIES = {
  key: KEY,
  header: 'canary-header-91c4',
  cookie: 'canary-cookie-77e0',
  webhookHeader: 'canary-hook-5ab2',
  action: 'canary-action-c3d8',
  forgottenUrl: 'canary-forgotten-0f6b',
};

const PAGES = 400;
/** Few, so that each is looked at often. */
const TRACKED = 20;
const HOSTILE_MS = 4_000;
const SESSION_MS = 5_000;

const json = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The outcome in a word. An unexpected error is a problem, whatever else is going on. */
function outcomeOf({ problems, step }: Tools, reply: Reply | undefined): string {
  if (!reply) return 'lost';
  if (reply.body.code === 'UNKNOWN_ERROR') problems.add(step, 'The service answered UNKNOWN_ERROR.');
  return reply.status === 200 ? '200' : `${reply.status} ${reply.body.code ?? ''}`.trim();
}

interface ScrapeBody {
  markdown?: string;
  screenshot?: string;
  warning?: string;
  metadata?: { scrapeId?: string };
  changeTracking?: { changeStatus: string };
}

/** Records the scrape, if its answer does not say that it could not be kept. */
async function scrape(tools: Tools, body: Record<string, unknown>, isKept = true): Promise<string> {
  const { world, promises, problems, step } = tools;
  const wasFull = world.isDiskFull;
  const wasTracked = promises.looks.has(String(body.url));
  const reply = await world.call(step, '/v2/scrape', json(body));
  const outcome = outcomeOf(tools, reply);
  if (reply?.status !== 200 || !isKept) return outcome;
  const { markdown, screenshot, warning = '', metadata, changeTracking } = reply.body.data as ScrapeBody;
  const text = warning || String(reply.body.warning ?? '');
  if (/could not be (?:kept|stored|saved)/i.test(text)) {
    if (!wasFull && !world.isDiskFull) problems.add(step, `Not kept, although the disk has room: ${text}`);
    return 'not kept';
  }
  if (changeTracking) {
    const { changeStatus } = changeTracking;
    // The pages never change.
    const isRight = changeStatus === 'same' || (changeStatus === 'new' && !wasTracked);
    if (!isRight) problems.add(step, `A tracked page is called ${changeStatus}.`);
    promises.looks.add(String(body.url));
  }
  if (metadata?.scrapeId !== undefined && markdown) promises.scrape(step, metadata.scrapeId, markdown);
  if (screenshot?.startsWith('http')) await rememberFile(tools, screenshot);
  return outcome;
}

async function rememberFile({ promises, step }: Tools, link: string): Promise<void> {
  const response = await fetch(link).catch(() => undefined);
  const bytes = await response?.arrayBuffer().catch(() => undefined);
  if (response?.status === 200 && bytes) promises.file(step, link.slice(new URL(link).origin.length), bytes.byteLength);
}

async function startJob(
  tools: Tools,
  path: string,
  body: object,
  urls: readonly string[],
): Promise<string | undefined> {
  const { world, sites, promises, step, number } = tools;
  const hook = `job-${number}`;
  const webhook = { url: sites.hook(hook), headers: { 'x-secret': CANARIES.webhookHeader } };
  const reply = await world.call(step, path, json({ ...body, webhook }));
  outcomeOf(tools, reply);
  if (reply?.status !== 200) return undefined;
  const id = String(reply.body.id);
  promises.job(step, { kind: path.includes('batch') ? 'batch_scrape' : 'crawl', id, urls, hook });
  return id;
}

export const OPERATIONS: Record<string, Operation> = {
  scrape: {
    weight: 12,
    run: (tools) =>
      scrape(tools, { url: tools.sites.pageUrl(tools.dice.roll(PAGES)), maxAge: tools.dice.pick([0, 1e8]) }),
  },
  'tracked scrape': {
    weight: 4,
    run: (tools) =>
      scrape(tools, { url: tools.sites.pageUrl(tools.dice.roll(TRACKED)), formats: ['markdown', 'changeTracking'] }),
  },
  'scrape with secrets': {
    weight: 4,
    run: (tools) =>
      scrape(tools, {
        url: tools.sites.pageUrl(tools.dice.roll(PAGES)),
        headers: { authorization: `Bearer ${CANARIES.header}`, cookie: `session=${CANARIES.cookie}` },
      }),
  },
  'scrape to forget': {
    weight: 2,
    run: (tools) =>
      scrape(
        tools,
        { url: `${tools.sites.pageUrl(tools.number)}?q=${CANARIES.forgottenUrl}`, zeroDataRetention: true },
        false,
      ),
  },
  screenshot: {
    weight: 2,
    needsBrowser: true,
    run: (tools) =>
      scrape(tools, { url: tools.sites.pageUrl(tools.dice.roll(PAGES)), formats: ['markdown', 'screenshot'] }),
  },
  actions: {
    weight: 1,
    needsBrowser: true,
    run: (tools) =>
      scrape(tools, {
        url: tools.sites.web.url('chaos.test', '/form'),
        actions: [
          { type: 'click', selector: '#field' },
          { type: 'write', text: CANARIES.action },
        ],
      }),
  },
  batch: {
    weight: 3,
    async run(tools) {
      const { sites, dice } = tools;
      const urls = [...new Set(Array.from({ length: 8 }, () => sites.pageUrl(dice.roll(PAGES))))];
      return (await startJob(tools, '/v2/batch/scrape', { urls }, urls)) ? 'started' : 'refused or lost';
    },
  },
  crawl: {
    weight: 2,
    async run(tools) {
      const { crawlUrls } = tools.sites;
      const body = { url: crawlUrls[0], limit: 200, scrapeOptions: { onlyMainContent: false, maxAge: 0 } };
      return (await startJob(tools, '/v2/crawl', body, crawlUrls)) ? 'started' : 'refused or lost';
    },
  },
  'cancelled crawl': {
    weight: 1,
    async run(tools) {
      const { world, sites, promises, step, number, dice } = tools;
      const body = { url: sites.crawlUrls[0], limit: 200, scrapeOptions: { maxAge: 0 } };
      const reply = await world.call(step, '/v2/crawl', json(body));
      if (reply?.status !== 200) return outcomeOf(tools, reply);
      await delay(dice.roll(500));
      const ended = await world.call(step, `/v2/crawl/${reply.body.id}`, { method: 'DELETE' });
      const job = {
        kind: 'crawl',
        id: String(reply.body.id),
        urls: [],
        hook: `job-${number}`,
        isCancelled: true,
      } as const;
      promises.job(step, job);
      return outcomeOf(tools, ended);
    },
  },
  map: {
    weight: 2,
    run: async (tools) =>
      outcomeOf(tools, await tools.world.call(tools.step, '/v2/map', json({ url: tools.sites.crawlUrls[0] }))),
  },
  search: {
    weight: 5,
    run: async (tools) =>
      outcomeOf(
        tools,
        await tools.world.call(
          tools.step,
          '/v2/search',
          json({ query: tools.dice.pick(['harbour', 'winter garden', 'copper bridge', 'quiet village']) }),
        ),
      ),
  },
  parse: {
    weight: 2,
    async run(tools) {
      const { world, step, dice, problems } = tools;
      const form = new FormData();
      const cell = `cell-${dice.roll(1e9)}`;
      form.append('file', new Blob([`name,value\nfirst,${cell}\n`], { type: 'text/csv' }), 'table.csv');
      const reply = await world.call(step, '/v2/parse', { method: 'POST', body: form });
      const outcome = outcomeOf(tools, reply);
      const { markdown = '' } = (reply?.body.data ?? {}) as ScrapeBody;
      if (reply?.status === 200 && !markdown.includes(cell)) problems.add(step, 'A parsed file lacks its content.');
      return outcome;
    },
  },
  session: {
    weight: 1,
    needsBrowser: true,
    async run(tools) {
      const { world, step, dice } = tools;
      const profile = { name: `profile-${dice.roll(3)}`, saveChanges: dice.roll(2) === 0 };
      const reply = await world.call(step, '/v2/browser', json({ ttl: 60, profile }));
      if (reply?.status !== 200) return outcomeOf(tools, reply);
      await drive(String(reply.body.cdpUrl), tools.sites.pageUrl(dice.roll(PAGES)));
      await delay(dice.roll(1_000));
      return outcomeOf(tools, await world.call(step, `/v2/browser/${reply.body.id}`, { method: 'DELETE' }));
    },
  },
  upload: {
    weight: 1,
    async run(tools) {
      const { world, step, dice, problems } = tools;
      const cell = `cell-${dice.roll(1e9)}`;
      const asked = await world.call(step, '/v2/parse/upload-url', json({ filename: 'table.csv' }));
      if (asked?.status !== 200) return outcomeOf(tools, asked);
      const { uploadUrl, uploadRef } = asked.body.data as { uploadUrl: string; uploadRef: string };
      const { pathname, search } = new URL(uploadUrl);
      const sent = await world.call(step, pathname + search, { method: 'PUT', body: `name,value\nfirst,${cell}\n` });
      if (sent?.status !== 200) return outcomeOf(tools, sent);
      const reply = await world.call(step, '/v2/parse', json({ uploadRef }));
      const { markdown = '' } = (reply?.body.data ?? {}) as ScrapeBody;
      if (reply?.status === 200 && !markdown.includes(cell)) problems.add(step, 'An uploaded file lacks its content.');
      return outcomeOf(tools, reply);
    },
  },
  'delete profile': {
    weight: 1,
    needsBrowser: true,
    async run(tools) {
      const path = `/v2/browser/profiles/profile-${tools.dice.roll(3)}`;
      return outcomeOf(tools, await tools.world.call(tools.step, path, { method: 'DELETE' }));
    },
  },
  'hostile page': {
    weight: 5,
    async run(tools) {
      const [host, path] = tools.dice.pick(HOSTILE_PATHS);
      const body = { url: tools.sites.web.url(host, path), timeout: HOSTILE_MS, maxAge: 0 };
      return outcomeOf(tools, await tools.world.call(tools.step, '/v2/scrape', json(body)));
    },
  },
  'cancelled request': {
    weight: 4,
    async run(tools) {
      const { world, sites, step, dice } = tools;
      const leaving = AbortSignal.timeout(1 + dice.roll(300));
      const body = json({ url: sites.pageUrl(dice.roll(PAGES)), maxAge: 0 });
      const reply = await world.call(step, dice.pick(['/v2/scrape', '/v2/scrape', '/v2/map']), {
        ...body,
        signal: leaving,
      });
      return reply ? outcomeOf(tools, reply) : 'left';
    },
  },
  'slow client': { weight: 2, run: sendSlowly },
  'wrong key': {
    weight: 2,
    async run(tools) {
      const headers = { authorization: 'Bearer fc-wrong', 'content-type': 'application/json' };
      const body = JSON.stringify({ url: 'http://chaos.test/', padding: randomBytes(200_000).toString('hex') });
      const reply = await tools.world.call(tools.step, '/v2/scrape', { method: 'POST', headers, body });
      if (reply && ![401, 429].includes(reply.status))
        tools.problems.add(tools.step, `A wrong key got ${reply.status}.`);
      return outcomeOf(tools, reply);
    },
  },
  nonsense: {
    weight: 2,
    async run(tools) {
      const { world, dice, step } = tools;
      const body = dice.pick(['{', '[]', '{"url":1}', '{"urls":[]}', 'null', `{"url":"${'x'.repeat(100_000)}"}`]);
      const path = dice.pick(['/v2/scrape', '/v2/crawl', '/v2/batch/scrape', '/v2/map', '/v2/search', '/v2/browser']);
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return outcomeOf(tools, await world.call(step, path, init));
    },
  },
};

/** Opens a page in a session. Its browser may die at any moment. */
async function drive(cdpUrl: string, url: string): Promise<void> {
  const socket = new WebSocket(cdpUrl);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['message', 'close', 'error']) socket.addEventListener(event, () => resolve());
  });
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ id: 1, method: 'Target.createTarget', params: { url } })),
  );
  await Promise.race([ended, delay(SESSION_MS)]);
  socket.close();
}

/** Sends its request in pieces, reads nothing for a while, and often leaves in the middle. */
async function sendSlowly({ world, sites, dice }: Tools): Promise<string> {
  const { hostname, port } = new URL((await world.service()).url);
  const body = JSON.stringify({ url: sites.pageUrl(dice.roll(PAGES)) });
  const request =
    `POST /v2/scrape HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${KEY}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()));
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const pieces = 2 + dice.roll(5);
  const size = Math.ceil(request.length / pieces);
  for (let at = 0; at < request.length && !socket.destroyed; at += size) {
    socket.write(request.slice(at, at + size));
    await delay(dice.roll(300));
    if (dice.roll(12) === 0) socket.destroy();
  }
  socket.pause();
  await delay(dice.roll(1_000));
  socket.resume();
  await Promise.race([closed, delay(60_000)]);
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'left';
}
