// For tests of collections: a site that tests change, and calls of a collection.
import assert from 'node:assert/strict';
import type { ChangeLine, CollectionView } from '../../../src/contracts/collection/collection.ts';
import { until } from '../jobs.ts';
import type { Scene } from '../use-service.ts';
import { page, type Site, send } from '../web/reply.ts';

export const HOST = 'shelf.test';

const FILLER = `<p>${'The library keeps books about rivers, bridges and the towns beside them. '.repeat(5)}</p>`;

export interface ShelfSite {
  site: Site;
  /** What the site serves: the main part of a page, or a status. Pages that are not here are gone. */
  served: Map<string, string | number>;
  /** Paths that `/` links to; all that are served, unless a test says otherwise. */
  linked(): string[];
  /** Requests as `path status`. */
  log: string[];
  /** Requests for this path wait until it is released. */
  held: Map<string, PromiseWithResolvers<void>>;
}

/** Pages have validators, and answer 304 to who knows them. robots.txt forbids `/c`. */
export function shelfSite(): ShelfSite {
  const served: ShelfSite['served'] = new Map();
  const held: ShelfSite['held'] = new Map();
  const log: string[] = [];
  const shelf: ShelfSite = {
    ...{ served, held, log, linked: () => [...served.keys()] },
    site: {
      '/robots.txt': (exchange) => send(exchange, 'User-agent: *\nDisallow: /c', { type: 'text/plain' }),
      '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
      '/*': async (exchange) => {
        const { path, headers } = exchange;
        await held.get(path)?.promise;
        const found = served.get(path) ?? 404;
        const text = typeof found === 'string' ? found : 'No such page.';
        const links = path === '/' ? shelf.linked().map((to) => `<a href="${to}">${to}</a> `) : [];
        const body = page(`Shelf ${path}`, `<h1>Shelf ${path}</h1><p>${text}</p>${FILLER}<p>${links.join('')}</p>`);
        const etag = `"${Buffer.from(text + links.join('')).toString('base64url')}"`;
        const isKnown = typeof found === 'string' && headers['if-none-match'] === etag;
        log.push(`${path} ${isKnown ? 304 : typeof found === 'number' ? found : 200}`);
        if (isKnown) return void exchange.response.writeHead(304, { etag }).end();
        send(exchange, body, { status: typeof found === 'string' ? 200 : found, headers: { etag } });
      },
    },
  };
  return shelf;
}

type Service = Pick<Scene['service'], 'fetch'>;

interface Sent {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many calls, checked against their schemas by the service.
  body: any;
}

export async function callJson(
  service: Service,
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<Sent> {
  const response = await service.fetch(path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : text.startsWith('{"op"') ? text : JSON.parse(text),
  };
}

export async function putCollection(service: Service, name: string, body: object): Promise<CollectionView> {
  const { status, body: answer } = await callJson(service, 'PUT', `/v2/collections/${name}`, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer.data;
}

export async function getCollection(service: Service, name: string): Promise<CollectionView> {
  const { status, body } = await callJson(service, 'GET', `/v2/collections/${name}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

/** Waits until nothing of it runs. */
export function ended(service: Service, name: string, runId?: string): Promise<CollectionView> {
  return until(
    () => getCollection(service, name),
    ({ currentRunId, lastRun }) => currentRunId === null && (runId === undefined || lastRun?.id === runId),
  );
}

export async function runOnce(service: Service, name: string): Promise<NonNullable<CollectionView['lastRun']>> {
  const { status, body } = await callJson(service, 'POST', `/v2/collections/${name}/run`);
  assert.equal(status, 200, JSON.stringify(body));
  return (await ended(service, name, body.id)).lastRun!;
}

export async function readChanges(
  service: Service,
  name: string,
  since?: string,
  limit?: number,
): Promise<ChangeLine[]> {
  const query = new URLSearchParams({ ...(since && { since }), ...(limit !== undefined && { limit: `${limit}` }) });
  const response = await service.fetch(`/v2/collections/${name}/changes?${query}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ChangeLine);
}

/** `+/path` for each upsert, `-/path` for each delete. */
export const short = (lines: readonly ChangeLine[]): string[] =>
  lines.map(({ op, url }) => `${op === 'upsert' ? '+' : '-'}${new URL(url).pathname}`);
