// The entrances of scrape, batch, crawl and map, and the indirect ones of jobs: robots.txt, sitemaps, webhooks.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, ServiceError } from '../../src/contracts/errors/errors.ts';
import { createRobots } from '../../src/crawl/robots/robots.ts';
import { readSitemaps } from '../../src/crawl/sitemap/sitemap.ts';
import { createWebhookCall } from '../../src/jobs/webhooks/webhook-call.ts';
import { readUrl } from '../../src/urls/url.ts';
import { systemClock } from '../../src/util/clock.ts';
import { CANARY_TEXT, SITE_TEXT, type Stage } from './stage.ts';

type Attempt = (stage: Stage, target: string) => Promise<string>;
interface Failure {
  success: false;
  code: ErrorCode;
  error: string;
}

const LIMIT_MS = 60_000;
// Several jobs run at once, and each question is work for the service.
const POLL_MS = 30;
const ASK_ANEW = { formats: ['rawHtml'], maxAge: 0 };

export const ROUTE_ATTEMPTS: Record<string, Attempt> = {
  '/v2/scrape': async (stage, url) => {
    const { data } = await post<{ data: Page }>(stage, '/v2/scrape', { url, ...ASK_ANEW });
    return data.rawHtml;
  },
  '/v2/batch/scrape': async (stage, url) => {
    const body = { urls: [url], ignoreInvalidURLs: false, ...ASK_ANEW };
    return onlyPage(stage, '/v2/batch/scrape', (await post<{ id: string }>(stage, '/v2/batch/scrape', body)).id);
  },
  '/v2/crawl': async (stage, url) => {
    const body = { url, sitemap: 'skip', limit: 1, scrapeOptions: ASK_ANEW };
    return onlyPage(stage, '/v2/crawl', (await post<{ id: string }>(stage, '/v2/crawl', body)).id);
  },
  '/v2/map': async (stage, url) => {
    // A map returns URLs, not texts; the requests that arrived show what it read.
    const before = stage.caught.length;
    await post(stage, '/v2/map', { url, sitemap: 'skip', ignoreCache: true, timeout: LIMIT_MS });
    return textRead(stage, before);
  },
  '/v2/agent': (stage, url) => readByRun(stage, '/v2/agent', { urls: [url] }),
  '/v2/extract': (stage, url) =>
    readByRun(stage, '/v2/extract', { urls: [url], ignoreInvalidURLs: false, scrapeOptions: { maxAge: 0 } }),
  '/v2/monitor': readByCheck,
  '/v2/collections/:name': readByCollection,
  '/v2/webhooks/test': async (stage, url) => {
    const before = stage.caught.length;
    const { data } = await post<{ data: { delivered: boolean; error: string | null } }>(stage, '/v2/webhooks/test', {
      url,
    });
    const problem = data.error ?? '';
    if (data.delivered) return textRead(stage, before);
    const isRefusal = problem.includes(REFUSAL);
    throw new ServiceError(isRefusal ? 'UNSUPPORTED_SITE' : 'SCRAPE_SITE_ERROR', { message: problem });
  },
};

export const notInTheTable: Attempt = async () => {
  throw new Error('A route that fetches needs an attempt in ROUTE_ATTEMPTS.');
};

interface Page {
  rawHtml: string;
}

async function post<T>(stage: Stage, path: string, request: object): Promise<T> {
  const { body } = await (await stage.service()).post<({ success: true } & T) | Failure>(path, request);
  if (body.success) return body;
  throw new ServiceError(body.code, { message: body.error });
}

/** The only page of a job once it has ended; throws the page's error if there is one. */
async function onlyPage(stage: Stage, path: string, id: string): Promise<string> {
  const service = await stage.service();
  const read = async <T>(at: string) => (await (await service.fetch(`${path}/${id}${at}`)).json()) as T;
  const patience = AbortSignal.timeout(LIMIT_MS);
  for (;;) {
    const { status, data } = await read<{ status: string; data: Page[] }>('');
    if (data.length > 0) return data[0]!.rawHtml;
    if (status !== 'scraping') break;
    await sleep(POLL_MS, undefined, { signal: patience });
  }
  const { errors } = await read<{ errors: { code: ErrorCode; error: string }[] }>('/errors');
  throw new ServiceError(errors[0]!.code, { message: errors[0]!.error });
}

/** What an agent or an extraction read: it returns the passages that fit the prompt. */
async function readByRun(stage: Stage, path: string, body: object): Promise<string> {
  const before = stage.caught.length;
  const { id } = await post<{ id: string }>(stage, path, { ...body, prompt: SITE_TEXT });
  const service = await stage.service();
  const patience = AbortSignal.timeout(LIMIT_MS);
  for (;;) {
    const answer = await service.fetch(`${path}/${id}`);
    const { status, data } = (await answer.json()) as { status: string; data?: unknown };
    if (status === 'completed' && JSON.stringify(data).includes(SITE_TEXT)) return textRead(stage, before);
    if (status !== 'processing') break;
    await sleep(POLL_MS, undefined, { signal: patience });
  }
  if (stage.caught.length > before) return CANARY_TEXT;
  // Nothing was read, which is how a run refuses an address.
  throw new ServiceError('UNSUPPORTED_SITE');
}

/** What the first check of a monitor read. */
async function readByCheck(stage: Stage, url: string): Promise<string> {
  const before = stage.caught.length;
  const body = { name: 'Page', schedule: { text: 'daily' }, targets: [{ type: 'scrape', urls: [url] }] };
  const { id } = (await post<{ data: { id: string } }>(stage, '/v2/monitor', body)).data;
  const check = (await post<{ id: string }>(stage, `/v2/monitor/${id}/run`, {})).id;
  const service = await stage.service();
  const patience = AbortSignal.timeout(LIMIT_MS);
  for (;;) {
    const answer = await service.fetch(`/v2/monitor/${id}/checks/${check}`);
    const { data } = (await answer.json()) as { data: { status: string; pages: { status: string }[] } };
    if (data.pages.some(({ status }) => status === 'new')) return textRead(stage, before);
    if (data.status !== 'queued' && data.status !== 'running') break;
    await sleep(POLL_MS, undefined, { signal: patience });
  }
  if (stage.caught.length > before) return CANARY_TEXT;
  throw new ServiceError('UNSUPPORTED_SITE');
}

/** What the first run of a collection read. */
async function readByCollection(stage: Stage, url: string): Promise<string> {
  const before = stage.caught.length;
  const service = await stage.service();
  const path = `/v2/collections/${randomUUID()}`;
  const ask = async <T>(method: string, at = '', request?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.fetch(path + at, {
      method,
      ...(request && { headers, body: JSON.stringify(request) }),
    });
    const body = (await answer.json()) as ({ success: true } & T) | Failure;
    if (body.success) return body;
    throw new ServiceError(body.code, { message: body.error });
  };
  await ask('PUT', '', { targets: [{ type: 'scrape', urls: [url] }] });
  try {
    await ask('POST', '/run', {});
    const patience = AbortSignal.timeout(LIMIT_MS);
    for (;;) {
      const { data } = await ask<{ data: { pages: number; currentRunId: string | null } }>('GET');
      if (data.pages > 0) return textRead(stage, before);
      if (data.currentRunId === null) break;
      await sleep(POLL_MS, undefined, { signal: patience });
    }
  } finally {
    await ask('DELETE');
  }
  if (stage.caught.length > before) return CANARY_TEXT;
  throw new ServiceError('UNSUPPORTED_SITE');
}

const textRead = (stage: Stage, before: number): string => (stage.caught.length > before ? CANARY_TEXT : SITE_TEXT);

export const askRobots: Attempt = async (stage, target) => {
  stage.serve({ status: 302, location: target }, '/robots.txt');
  const before = stage.caught.length;
  const robots = createRobots({ egress: stage.egress, clock: systemClock, headers: async () => ({}) });
  const { failure } = await robots.of(
    new URL(`http://site.test:${stage.port}/`),
    { verifyTls: false },
    AbortSignal.timeout(LIMIT_MS),
  );
  stage.serve({ status: 200, html: SITE_TEXT }, '/robots.txt');
  if (failure) throw failure;
  return textRead(stage, before);
};

/** Problem texts are truncated, so only the beginning is compared. */
const REFUSAL = new ServiceError('UNSUPPORTED_SITE').message.slice(0, 80);

export const askSitemap: Attempt = async (stage, target) => {
  const before = stage.caught.length;
  const problems: string[] = [];
  const request = {
    site: new URL(`http://site.test:${stage.port}/`),
    declared: [target],
    maxEntries: 10,
    onProblem: (problem: string) => problems.push(problem),
  };
  const source = { egress: stage.egress, headers: {}, verifyTls: false };
  for await (const _ of readSitemaps(source, request, AbortSignal.timeout(LIMIT_MS)));
  const problem = problems.join(' ');
  // The files of the stage are not sitemaps: a problem that says so means that one was read.
  if (/neither a sitemap/.test(problem)) return textRead(stage, before);
  const isRefusal = problem === '' || problem.includes(REFUSAL) || /refused/.test(problem);
  throw new ServiceError(isRefusal ? 'UNSUPPORTED_SITE' : 'SCRAPE_SITE_ERROR', { message: problem });
};

export const callWebhook: Attempt = async (stage, target) => {
  const url = readUrl(target);
  if (typeof url === 'string') throw new ServiceError('BAD_REQUEST');
  stage.egress.check(url);
  const before = stage.caught.length;
  const call = createWebhookCall({ egress: stage.egress });
  const { failure } = await call(
    { url: url.href, headers: {}, body: Buffer.from('{}') },
    AbortSignal.timeout(LIMIT_MS),
  );
  if (failure)
    throw new ServiceError(failure.isFinal ? 'UNSUPPORTED_SITE' : 'SCRAPE_SITE_ERROR', { message: failure.reason });
  return textRead(stage, before);
};
