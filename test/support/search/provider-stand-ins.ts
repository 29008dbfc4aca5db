// Search providers on loopback for a service under test. Each answers as the test says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GivenResult {
  url: string;
  title?: string;
  description?: string;
  /** ISO. */
  date?: string;
  imageUrl?: string;
}

/** How the provider handles the next requests. */
export type Behaviour = (request: AskedProvider, response: ServerResponse) => void | Promise<void>;

export interface AskedProvider {
  /** The query in the provider's own syntax. */
  query: string;
  parameters: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** From 1. */
  page: number;
}

export interface ProviderStandIn {
  url: string;
  asked: AskedProvider[];
  /** Answers with these results from now on, in the provider's format. Later pages are empty. */
  give(...results: GivenResult[]): void;
  /** Serves these pages of results. */
  givePages(pages: GivenResult[][]): void;
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

interface Dialect {
  page(parameters: URLSearchParams): number;
  answer(results: GivenResult[], hasMore: boolean): unknown;
}

const DIALECTS: Record<'searxng' | 'brave', Dialect> = {
  searxng: {
    page: (parameters) => Number(parameters.get('pageno') ?? 1),
    answer: (results) => ({
      query: 'x',
      results: results.map(({ url, title, description, date, imageUrl }) => ({
        url,
        title: title ?? `Title of ${url}`,
        content: description ?? '',
        ...(date && { publishedDate: date }),
        ...(imageUrl && { img_src: imageUrl }),
      })),
    }),
  },
  brave: {
    page: (parameters) => Number(parameters.get('offset') ?? 0) + 1,
    answer: (results, hasMore) => ({
      type: 'search',
      query: { more_results_available: hasMore },
      web: {
        results: results.map(({ url, title, description, date }) => ({
          url,
          title: title ?? `Title of ${url}`,
          description: description ?? '',
          ...(date && { page_age: date }),
        })),
      },
    }),
  },
};

export async function startProviderStandIn(name: keyof typeof DIALECTS): Promise<ProviderStandIn> {
  const dialect = DIALECTS[name];
  const asked: AskedProvider[] = [];
  let behaviour: Behaviour = () => {};
  const server = createServer((incoming, response) => {
    const { searchParams: parameters } = new URL(incoming.url ?? '/', 'http://provider.test');
    const request = {
      query: parameters.get('q') ?? '',
      parameters,
      headers: incoming.headers,
      page: dialect.page(parameters),
    };
    asked.push(request);
    void behaviour(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const givePages = (pages: GivenResult[][]) => {
    behaviour = ({ page }, response) => sendJson(response, dialect.answer(pages[page - 1] ?? [], page < pages.length));
  };
  givePages([]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    give: (...results) => givePages([results]),
    givePages,
    behave(next) {
      behaviour = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
