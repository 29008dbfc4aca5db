// What is asked for: each format with the page that makes its answer large, and the other ways to a diff.
import type { RunningProgram } from '../../test/support/service.ts';

export interface Call {
  service: RunningProgram;
  timeout: number;
  url(path: string): string;
}

interface Case {
  name: string;
  /** What is not measured. */
  before?(call: Call): Promise<unknown>;
  /** Returns the size of the answer. */
  run(call: Call): Promise<number>;
}

const ROWS = {
  type: 'object',
  properties: {
    products: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, description: { type: 'string' }, price: { type: 'number' } },
      },
    },
  },
};

const DIFF = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }];
const FIELDS = ['markdown', { type: 'changeTracking', modes: ['json'], schema: ROWS }];
const ATTRIBUTES = { type: 'attributes', selectors: [{ selector: 'i', attribute: 'data-x' }] };

async function scrape({ service, url, timeout }: Call, path: string, formats: unknown[]): Promise<number> {
  const body = JSON.stringify({ url: url(path), formats, timeout, maxAge: 0, onlyMainContent: false });
  const headers = { 'content-type': 'application/json' };
  return sizeOf(await service.fetch('/v2/scrape', { method: 'POST', headers, body }));
}

async function sizeOf(answer: Response): Promise<number> {
  const bytes = await answer.bytes();
  if (!answer.ok) throw new Error(`The service answered: ${Buffer.from(bytes)}`);
  return bytes.byteLength;
}

const format = (name: string, path: string, wanted: unknown = name): Case => ({
  name,
  run: (call) => scrape(call, path, [wanted]),
});

interface Versions {
  data: { versions: { id: number }[] }[];
}

async function pageDiff({ service, url }: Call): Promise<number> {
  const page = `url=${encodeURIComponent(url('/lines'))}`;
  const { data } = (await (await service.fetch(`/v2/index/page/versions?${page}`)).json()) as Versions;
  return sizeOf(await service.fetch(`/v2/index/page/diff?${page}&to=${data[0]!.versions[0]!.id}`));
}

export const CASES: readonly Case[] = [
  format('markdown', '/text'),
  format('html', '/text'),
  format('rawHtml', '/text'),
  format('rawBase64', '/file.bin'),
  format('links', '/links'),
  format('images', '/images'),
  format('attributes', '/attributes', ATTRIBUTES),
  format('summary', '/text'),
  format('question', '/text', { type: 'question', question: 'Who jumps over the lazy dog?' }),
  format('highlights', '/text', { type: 'highlights', query: 'quick brown fox' }),
  format('query', '/text', { type: 'query', prompt: 'Who jumps over the lazy dog?' }),
  format('json', '/data', { type: 'json', schema: ROWS }),
  format('deterministicJson', '/data', { type: 'deterministicJson', schema: ROWS }),
  format('product', '/product'),
  format('menu', '/menu'),
  format('knowledgeGraph', '/data'),
  format('screenshot', '/look', { type: 'screenshot', fullPage: true }),
  format('branding', '/look'),
  {
    name: 'changeTracking, git-diff',
    before: (call) => scrape(call, '/lines', DIFF),
    run: (call) => scrape(call, '/lines', DIFF),
  },
  {
    name: 'changeTracking, json',
    before: (call) => scrape(call, '/data', FIELDS),
    run: (call) => scrape(call, '/data', FIELDS),
  },
  {
    name: 'page diff',
    before: async (call) => {
      await scrape(call, '/lines', DIFF);
      await scrape(call, '/lines', DIFF);
    },
    run: pageDiff,
  },
];
