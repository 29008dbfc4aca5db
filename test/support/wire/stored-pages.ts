// For tests of stored pages: sites, a service and a stranger to it.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type {
  DeletePagesResponse,
  StoredHostsResponse,
  StoredPagesResponse,
} from '../../../src/contracts/search/stored-pages.ts';
import type { RunningService } from '../service.ts';
import { startServiceHereWith } from '../service-here.ts';
import { asTeam } from '../teams.ts';
import { page, type Site, send } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';

export const SHOP = 'shop.test';

export const LIBRARY = 'library.test';

export const LARGE = 'large.test';

export let web: Web;

export let service: RunningService;

export let stranger: RunningService;

/** What the shop's tracked page says. */
export let offer: string | undefined = 'A brass compass for 149 EUR.';
export const changeOffer = (text: string | undefined): void => {
  offer = text;
};

export const requests = new Map<string, number>();

export const FILLER =
  'Every instrument is checked by hand before it leaves the workshop, and again when it comes back. ';

export const siteOf = (name: string, paths: readonly string[]): Site => ({
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/elsewhere': (exchange) => send(exchange, '', { status: 301, headers: { location: web.url(SHOP, '/compass') } }),
  '/moved': (exchange) => send(exchange, '', { status: 301, headers: { location: '/compass' } }),
  '/*': (exchange) => {
    requests.set(exchange.path, (requests.get(exchange.path) ?? 0) + 1);
    if (exchange.path === '/offer' && offer === undefined) return send(exchange, 'gone', { status: 410 });
    const links = paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('');
    const text = exchange.path === '/offer' ? offer : `All about ${name} and ${exchange.path.replace('/', '')}.`;
    const html = `<h1>${name} ${exchange.path}</h1><p>${text}</p><p>${FILLER.repeat(4)}</p><ul>${links}</ul>`;
    send(exchange, page(`${name} ${exchange.path}`, html));
  },
});

export const LARGE_PATHS = Array.from({ length: 120 }, (_, n) => `/p${String(n).padStart(3, '0')}`);

export interface Refusal {
  error: string;
  code: string;
}

export async function ask<T>(from: RunningService, route: string, query: Record<string, string | string[]> = {}) {
  const [method, path] = route.split(' ') as [string, string];
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  const response = await from.fetch(`${path}?${new URLSearchParams(pairs)}`, { method });
  return { status: response.status, body: (await response.json()) as T & Partial<Refusal> };
}

export async function answer<T>(...[from, route, query]: Parameters<typeof ask>): Promise<T> {
  const { status, body } = await ask<T>(from, route, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export const hostsOf = (from = service, query = {}) => answer<StoredHostsResponse>(from, 'GET /v2/index/hosts', query);

export const pagesOf = (from = service, query = {}) => answer<StoredPagesResponse>(from, 'GET /v2/index/pages', query);

export const deleteBy = (query: Record<string, string | string[]>, from = service) =>
  answer<DeletePagesResponse>(from, 'DELETE /v2/index/pages', query);

export const hostOf = (name: string) => new URL(web.url(name, '/')).host;

export const found = async (query: string) => {
  const { body } = await service.post<{ data: { web?: { url: string }[] } }>('/v2/search', { query });
  return (body.data.web ?? []).map(({ url }) => url);
};

/** Before the first test of a file, and after its last. */
export function useStoredPages(): void {
  before(async () => {
    web = await startWeb({
      [SHOP]: siteOf('shop', ['/compass', '/sextant']),
      [LIBRARY]: siteOf('library', ['/books']),
      [LARGE]: siteOf('large', LARGE_PATHS),
    });
    service = await startServiceHereWith(web, { TRAWL_AUTH: 'required' });
    stranger = await asTeam(service, 'strangers');
  });
  after(async () => {
    await service?.stop();
    await web?.stop();
  });
}
