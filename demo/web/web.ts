// The small web that comes with Trawl: a ship chandler's site with a shop, docs, a journal with a feed, a page that needs
// JavaScript, a PDF, robots.txt and sitemap, and a hostile corner. It listens on loopback and counts its requests.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { writeDocs, writeFeed, writeJournal } from './articles.ts';
import { type Handler, hostileHandlers } from './hostile.ts';
import { escapeHtml, writePage } from './layout.ts';
import { levelAt, watersOf, writeLog } from './log.ts';
import { writePriceList } from './price-list.ts';
import { PRODUCTS, productCards, writeShop } from './shop.ts';

export interface DemoWeb {
  /** By name, since the service is allowed to reach the name with this port and nothing else. */
  url: string;
  /** `localhost:PORT`, the form of TRAWL_ALLOW_NETWORKS. */
  host: string;
  /** Paths of the pages that can be reached by links and sitemap; the hostile corner is not among them. */
  paths: readonly string[];
  /** Requests so far, by path without query. */
  requests(path: string): number;
  /** Requests to the other server on this machine, to which a hostile page redirects. */
  forbiddenRequests(): number;
  /** Calls back with every request, before it is answered. */
  onRequest(listener: (path: string) => void): void;
  stop(): Promise<void>;
}

interface File {
  type: string;
  content: string | Buffer;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};
const HTML = 'text/html; charset=utf-8';
const TIDE_DAY = new Date('2026-03-20T00:00:00Z');
const HALF_HOUR_MS = 1_800_000;

/** Takes the given port if it is free, else any. */
export async function startWeb(wantedPort = 0): Promise<DemoWeb> {
  const counts = new Map<string, number>();
  const listeners: ((path: string) => void)[] = [];
  let forbidden = 0;
  const other = await listen(0, (_request, response) => {
    forbidden += 1;
    response.end('The keys to the harbour office.');
  });
  const handlers = hostileHandlers(`http://127.0.0.1:${other.port}/keys`);
  let files: Map<string, File>;
  const server = await listen(wantedPort, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    for (const listener of listeners) listener(pathname);
    // A client that leaves in the middle is none of the web's business.
    Promise.resolve(findHandler(pathname, files, handlers)(request, response)).catch(() => response.destroy());
  });
  const host = `localhost:${server.port}`;
  const url = `http://${host}`;
  const pages = writePages();
  files = new Map([...pages, ...writeFiles(url, [...pages.keys()])]);

  return {
    url,
    host,
    paths: [...pages.keys()],
    requests: (path) => counts.get(path) ?? 0,
    forbiddenRequests: () => forbidden,
    onRequest: (listener) => void listeners.push(listener),
    async stop() {
      await Promise.all([server.close(), other.close()]);
    },
  };
}

function writePages(): Map<string, File> {
  const home = writePage({
    title: 'Saltmarsh Chandlery',
    description: 'Ship chandlers at Saltmarsh since 1868.',
    main: `<h1>Everything for the boat, and dry socks</h1>
<p class="lead">Ship chandlers at Saltmarsh since 1868. We make rope, mend lamps, and give away a program that knows the tides.</p>
${productCards()}`,
  });
  const tides =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tides at Saltmarsh</title><link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"></head><body><div id="app"></div><noscript>This page needs JavaScript.</noscript><script type="module" src="/tides.js"></script></body></html>';
  const pages = { '/': home, ...writeShop(), ...writeDocs(), ...writeJournal(), ...writeLog(), '/tides/': tides };
  return new Map(Object.entries(pages).map(([path, content]) => [path, { type: HTML, content }]));
}

function writeFiles(url: string, paths: string[]): Map<string, File> {
  const texts: Record<string, string | Buffer> = {
    '/robots.txt': `User-agent: *\nDisallow: /office/\n\nSitemap: ${url}/sitemap.xml\n`,
    '/sitemap.xml': writeSitemap(url, paths),
    '/journal/feed.xml': writeFeed(url),
    '/price-list.pdf': writePriceList(),
    '/api/tides.json': JSON.stringify(tideBoard()),
  };
  for (const name of ['style.css', 'tides.js', ...PRODUCTS.map(({ id }) => `images/${id}.svg`)]) {
    texts[`/${name}`] = readFileSync(join(import.meta.dirname, name));
  }
  const office = writePage({ title: 'Office', main: '<h1>Office</h1><p>Invoices and wages. Not for robots.</p>' });
  const files = new Map<string, File>([['/office/', { type: HTML, content: office }]]);
  for (const [path, content] of Object.entries(texts)) files.set(path, { type: TYPES[extname(path)]!, content });
  return files;
}

const writeSitemap = (url: string, paths: string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `  <url><loc>${escapeHtml(url + path)}</loc></url>`).join('\n')}
</urlset>
`;

function tideBoard(): object {
  const levels = Array.from({ length: 49 }, (_, index) => levelAt(TIDE_DAY.getTime() + index * HALF_HOUR_MS));
  return { harbour: 'Saltmarsh', day: 'Friday 20 March 2026', waters: watersOf(TIDE_DAY), levels };
}

function findHandler(path: string, files: Map<string, File>, handlers: Record<string, Handler>): Handler {
  const file = files.get(path);
  if (file) {
    return (_request, response) => void response.writeHead(200, { 'content-type': file.type }).end(file.content);
  }
  const handler = handlers[path] ?? Object.entries(handlers).find(([key]) => isBelow(path, key))?.[1];
  return handler ?? notFound;
}

const isBelow = (path: string, pattern: string): boolean =>
  pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1));

const notFound: Handler = (_request, response) => {
  const main = '<h1>Not found</h1><p>There is no such page. Perhaps the tide took it.</p>';
  response.writeHead(404, { 'content-type': HTML }).end(writePage({ title: 'Not found', main }));
};

async function listen(port: number, answerRequest: RequestListener): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(answerRequest);
  await open(server, port).catch((error: NodeJS.ErrnoException) => {
    if (port === 0 || error.code !== 'EADDRINUSE') throw error;
    return open(server, 0);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function open(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
