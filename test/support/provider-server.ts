// A search provider on loopback that answers from the fixtures in test/providers/<name> and records the requests.
// Every file there is a case of its name; cases.json lists statuses, types and headers that are not the usual ones.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Conditions } from '../../src/contracts/search/search-query.ts';
import { parseAllowList } from '../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../src/net/egress.ts';
import { type Ask, createAsk } from '../../src/search/federation/provider-http.ts';
import type { Provider, ProviderAnswer, ProviderQuery, ProviderResult } from '../../src/search/providers/provider.ts';
import type { ProblemKind } from '../../src/search/providers/provider-problem.ts';
import { parseQuery } from '../../src/search/query/query.ts';

export const FIXTURES = join(import.meta.dirname, '../providers');

const ABOUT_CASES = ['cases.json', 'expected.json'];
const TYPES: Record<string, string> = {
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
};

export interface Case {
  file: string;
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** The problem that an error answer must be read as. */
  kind?: ProblemKind;
}

export interface Expected {
  results: ProviderResult[];
  hasMore: boolean;
}

export interface SeenRequest {
  method: string;
  path: string;
  parameters: Record<string, string>;
  headers: Record<string, string>;
  /** Body of a POST: parsed JSON, or a form as a record. */
  body: unknown;
}

export interface ProviderServer {
  url: string;
  /** In order. */
  requests: SeenRequest[];
  ask: Ask;
  /** Selects the case to answer with, for all paths or by the end of the path. */
  answer(cases: string | Record<string, string>): void;
  /** Answers with this text as JSON from now on. */
  answerText(text: string): void;
  /** Asks the provider as the service would. */
  search(provider: Provider, question: ProviderQuery, key?: string): Promise<ProviderAnswer>;
}

export interface Question extends Partial<Omit<ProviderQuery, 'query' | 'conditions'>> {
  conditions?: Partial<Conditions>;
}

export const NOW = Date.UTC(2026, 9, 15, 12);

/** A query for 10 web results on a fixed day, unless changed. */
export const question = (text: string, { conditions, ...changes }: Question = {}): ProviderQuery => ({
  query: parseQuery(text),
  conditions: {
    sortByDate: false,
    includeDomains: [],
    excludeDomains: [],
    categories: [],
    country: 'US',
    language: 'en',
    ...conditions,
  },
  source: 'web',
  count: 10,
  page: 0,
  now: NOW,
  ...changes,
});

/** Expected results of the good answers: expected.json, by case. Dates are ISO. */
export const expectedOf = (name: string): Record<string, Expected> =>
  readJson(join(FIXTURES, name, 'expected.json')) ?? {};

/** Listens until the test ends. */
export async function startProvider(context: TestContext, name: string): Promise<ProviderServer> {
  const cases = casesOf(name);
  const requests: SeenRequest[] = [];
  let answers: string | Record<string, string> = 'full';
  let given: string | undefined;

  const server = createServer(async (incoming, response) => {
    const seen = await readRequest(incoming);
    requests.push(seen);
    if (given !== undefined) {
      response.writeHead(200, { 'content-type': TYPES['.json'] }).end(given);
      return;
    }
    const wanted =
      typeof answers === 'string' ? answers : Object.entries(answers).find(([end]) => seen.path.endsWith(end))?.[1];
    const found = cases[wanted ?? ''];
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const type = found.type ?? TYPES[extname(found.file)] ?? 'application/octet-stream';
    response.writeHead(found.status ?? 200, { 'content-type': type, ...found.headers });
    response.end(readFileSync(join(FIXTURES, name, found.file)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const egress = createEgress({
    allow: parseAllowList('127.0.0.0/8'),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
  });
  context.after(async () => {
    await egress.close();
    server.closeAllConnections();
    server.close();
  });

  const ask = createAsk(egress);
  return {
    url,
    requests,
    ask,
    answer(next) {
      answers = next;
      given = undefined;
    },
    answerText(text) {
      given = text;
    },
    search: (provider, asked, key) =>
      provider.search(asked, { url, key, engine: 'engine:1', ask, signal: AbortSignal.timeout(60_000) }),
  };
}

export const ASKED_KEY = 'secret-key-4711';

/** The single request that a query causes, answered with the given case. */
export async function askOnce(
  context: TestContext,
  provider: Provider,
  text: string,
  { answer = 'full', key = ASKED_KEY, ...changes }: Question & { answer?: string; key?: string } = {},
): Promise<SeenRequest> {
  const server = await startProvider(context, provider.name);
  server.answer(answer);
  await server.search(provider, question(text, changes), key);
  assert.equal(server.requests.length, 1);
  return server.requests[0]!;
}

/** Cases of a provider, by name. */
export function casesOf(name: string): Record<string, Case> {
  const folder = join(FIXTURES, name);
  const unusual: Record<string, Partial<Case>> = readJson(join(folder, 'cases.json')) ?? {};
  const files = globSync('*', { cwd: folder }).filter((file) => !ABOUT_CASES.includes(file));
  return Object.fromEntries(
    files.map((file) => {
      const title = basename(file, extname(file));
      return [title, { file, ...unusual[title] }];
    }),
  );
}

const readJson = <T>(file: string): T | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(incoming.url ?? '/', 'http://provider.test');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    parameters: Object.fromEntries(url.searchParams),
    headers: incoming.headers as Record<string, string>,
    body: text === '' ? undefined : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
  };
}
