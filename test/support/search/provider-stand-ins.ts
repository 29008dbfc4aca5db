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
  /** The parameter with the query; by default `q`. */
  query?: string;
  page(parameters: URLSearchParams): number;
  /** A text is sent as HTML, everything else as JSON. */
  answer(results: GivenResult[], hasMore: boolean): unknown;
}

const DIALECTS: Record<'searxng' | 'brave' | 'duckduckgo' | 'wikipedia' | 'marginalia', Dialect> = {
  duckduckgo: {
    page: () => 1,
    answer: (results) => `<div id="links">${results.map(duckduckgoResult).join('')}</div>`,
  },
  wikipedia: {
    query: 'srsearch',
    page: (parameters) => (parameters.get('sroffset') === '0' ? 1 : 2),
    answer: (results) => ({
      batchcomplete: true,
      query: { search: results.map(({ title, description }) => ({ title, snippet: description ?? '' })) },
    }),
  },
  marginalia: {
    query: 'query',
    page: (parameters) => Number(parameters.get('page') ?? 1),
    answer: (results, hasMore) => ({
      pages: hasMore ? 9 : 1,
      results: results.map(({ url, title = `Title of ${url}`, description = '' }) => ({ url, title, description })),
    }),
  },
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
      query: parameters.get(dialect.query ?? 'q') ?? '',
      parameters,
      headers: incoming.headers,
      page: dialect.page(parameters),
    };
    asked.push(request);
    void behaviour(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const givePages = (pages: GivenResult[][]) => {
    behaviour = ({ page }, response) => {
      const answer = dialect.answer(pages[page - 1] ?? [], page < pages.length);
      if (typeof answer === 'string') sendHtml(response, answer);
      else sendJson(response, answer);
    };
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

const duckduckgoResult = ({ url, title = `Title of ${url}`, description = '' }: GivenResult): string =>
  `<div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}">${title}</a>
  <a class="result__snippet">${description}</a></div>`;

export function sendHtml(response: ServerResponse, html: string, status = 200) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
