// Test providers that speak a small protocol to servers on loopback, and a clock to advance.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { EgressSettings } from '../../../../src/net/egress.ts';
import { SHARED } from '../../../../src/page/page-owner.ts';
import {
  createFederation,
  type Federation,
  type FederationRequest,
} from '../../../../src/search/federation/federation.ts';
import type { ProviderRun } from '../../../../src/search/federation/provider-run.ts';
import type { Provider, ProviderResult } from '../../../../src/search/providers/provider.ts';
import type { ProviderName, ProviderSettings } from '../../../../src/search/providers/provider-names.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';
import type { Clock } from '../../../../src/util/clock.ts';
import { openEgress, serve, soon } from '../../net/local.ts';

/** One request as the provider's server sees it. */
export interface SeenRequest {
  page: number;
  count: number;
  key: string | undefined;
  query: string;
}

export type Behaviour = (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => void;

export interface Harness {
  providers: Federation;
  /** The requests each server received, in order. */
  seen: Record<string, SeenRequest[]>;
  logged: unknown[];
  /** Waits by the clock, which turns ahead by as much at once. */
  slept: number[];
  /** Changes the behaviour from now on. */
  behave(name: ProviderName, behaviour: Behaviour): void;
  advanceClock(ms: number): void;
  /** Asks for 10 results and keeps all of them by default. */
  ask(changes?: Partial<FederationRequest>, signal?: AbortSignal): Promise<ProviderRun[]>;
  /** The only run of a harness with one provider. */
  askOne(changes?: Partial<FederationRequest>): Promise<ProviderRun>;
}

interface HarnessOptions {
  settings?: Partial<ProviderSettings>;
  net?: Partial<EgressSettings>;
  limitMs?: number;
  /** Overrides parts of the adapters. */
  adapters?: Partial<Record<ProviderName, Partial<Provider>>>;
}

export async function startHarness(
  t: TestContext,
  behaviours: Partial<Record<ProviderName, Behaviour>>,
  { settings, net, limitMs = 10_000, adapters = {} }: HarnessOptions = {},
): Promise<Harness> {
  let ahead = 0;
  const seen: Record<string, SeenRequest[]> = {};
  const current = new Map(Object.entries(behaviours));
  const all: Provider[] = [];
  for (const name of Object.keys(behaviours) as ProviderName[]) {
    seen[name] = [];
    const port = await serve(t, (request, response) => {
      const asked = readSeen(request);
      seen[name]!.push(asked);
      current.get(name)!(asked, response, request);
    });
    all.push({ ...adapter(name, `http://127.0.0.1:${port}`), ...adapters[name] });
  }
  const logged: unknown[] = [];
  const slept: number[] = [];
  const clock: Clock = {
    now: () => Date.now() + ahead,
    async sleep(ms) {
      slept.push(ms);
      ahead += ms;
    },
  };
  const providers = createFederation({
    settings: { order: undefined, keyless: true, access: {}, ...settings },
    egress: openEgress(t, { maxPageBytes: 50_000_000, ...net }),
    clock,
    log: {
      info: (...line: unknown[]) => void logged.push(line),
      warn: (...line: unknown[]) => void logged.push(line),
    },
    load: async () => all,
    limitMs,
  });
  const ask: Harness['ask'] = (changes = {}, signal = soon()) =>
    providers.ask({ ...question('words'), now: clock.now(), ...changes }, signal);
  return {
    providers,
    seen,
    logged,
    slept,
    behave: (name, behaviour) => void current.set(name, behaviour),
    advanceClock(ms) {
      ahead += ms;
    },
    ask,
    askOne: async (changes) => (await ask(changes))[0]!,
  };
}

export const question = (text: string): FederationRequest => ({
  query: parseQuery(text),
  conditions: CONDITIONS,
  source: 'web',
  now: 0,
  wanted: 10,
  rejectionOf: () => undefined,
  retainFor: SHARED,
});

export const CONDITIONS: FederationRequest['conditions'] = {
  sortByDate: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  country: 'US',
  language: 'en',
};

/** Results `from` to `to`, each on its own host. */
export const results = (from: number, to: number): ProviderResult[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    url: `https://r${from + index}.example/`,
    title: `r${from + index}`,
    description: '',
  }));

export const answers =
  (list: ProviderResult[], hasMore = false): Behaviour =>
  (_seen, response) =>
    void response.end(JSON.stringify({ results: list, hasMore }));

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_seen, response) =>
    void response.writeHead(code, headers).end();

export const never: Behaviour = () => {};

const adapter = (name: ProviderName, url: string): Provider => ({
  name,
  label: name.toUpperCase(),
  url,
  needs: 'nothing',
  sources: ['web', 'news', 'images'],
  capabilities: () => ({ clauses: [], time: 'none', domains: false, maxCount: 10, maxPages: 10 }),
  async search({ query, count, page }, { url: base, key, ask, signal }) {
    const parameters = { q: query.text, count, page };
    const headers: Record<string, string> = key === undefined ? {} : { 'x-key': key };
    const answer = (await ask.json({ url: `${base}/search`, parameters, headers }, signal)) as {
      results: ProviderResult[];
      hasMore: boolean;
    };
    return { results: answer.results.map((result) => ({ ...result })), hasMore: answer.hasMore };
  },
});

function readSeen(request: IncomingMessage): SeenRequest {
  const { searchParams } = new URL(request.url ?? '/', 'http://provider.test');
  return {
    page: Number(searchParams.get('page')),
    count: Number(searchParams.get('count')),
    key: request.headers['x-key'] as string | undefined,
    query: searchParams.get('q') ?? '',
  };
}
