// The bodies that the n8n node sends. n8n itself is not started: it fills in every field of its forms, so many are empty.
import { setTimeout as sleep } from 'node:timers/promises';
import { addresses, type Case, type Client, expect, type Scene } from './client.ts';

export const n8n: Client = {
  name: 'n8n node, request bodies',
  version: '2.1.2',
  async open(scene) {
    return { cases: [...pages(scene), ...jobs(scene), ...accounts(scene), ...browsers(scene), ...later(scene)] };
  },
};

interface Answer {
  id: string;
  status?: string;
  data: Record<string, unknown> & { metadata: { scrapeId: string; statusCode: number } };
}

async function send({ service }: Scene, path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
  const response = await service.fetch(`/v2${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    ...(body && { body: JSON.stringify({ ...body, integration: 'n8n' }) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

const SCRAPE = {
  onlyMainContent: true,
  includeTags: [''],
  excludeTags: [],
  headers: {},
  waitFor: 0,
  mobile: false,
  skipTlsVerification: false,
  timeout: 30_000,
  removeBase64Images: true,
  blockAds: true,
  storeInCache: true,
  proxy: 'basic',
  location: { country: 'DE', languages: [] },
};

function pages(scene: Scene): Case[] {
  const { page, missing, mapped } = addresses(scene.web);
  const search = { sources: [{ type: 'web' }], timeout: 60_000, limit: 2, tbs: '' };
  return [
    {
      name: 'scrape: markdown, html, links',
      async run() {
        const { data } = await send(scene, '/scrape', { ...SCRAPE, url: page, formats: ['markdown', 'html', 'links'] });
        expect('markdown' in data && 'html' in data && 'links' in data, 'three formats', data);
      },
    },
    {
      name: 'scrape: screenshot',
      skip: scene.noBrowser,
      async run() {
        const format = { type: 'screenshot', fullPage: false, quality: 80 };
        const { data } = await send(scene, '/scrape', { ...SCRAPE, url: page, formats: [format] });
        expect(typeof data.screenshot === 'string', 'a screenshot', data);
      },
    },
    {
      name: 'scrape: page with status 404',
      async run() {
        const { data } = await send(scene, '/scrape', { url: missing, formats: ['markdown'] });
        expect(data.metadata.statusCode === 404, 'status 404', data);
      },
    },
    {
      name: 'map',
      async run() {
        const options = { sitemap: 'include', includeSubdomains: false, limit: 5000, timeout: 10_000, search: '' };
        const answer = await send(scene, '/map', { ...options, url: mapped });
        expect(/listed/.test(JSON.stringify(answer)), 'listed pages', answer);
      },
    },
    {
      name: 'search',
      async run() {
        const answer = await send(scene, '/search', { ...search, query: 'brass kettle' });
        expect(/north\.test/.test(JSON.stringify(answer)), 'a result', answer);
      },
    },
    {
      name: 'search: scrapeOptions',
      async run() {
        const scrapeOptions = { ...SCRAPE, formats: ['markdown'] };
        const answer = await send(scene, '/search', { ...search, query: 'invar pendulum', scrapeOptions });
        expect(/The last paragraph/.test(JSON.stringify(answer)), 'the Markdown of a result', answer);
      },
    },
  ];
}

const UNFINISHED = ['scraping', 'processing', 'pending'];

/** Polls as the node does. */
async function ended(scene: Scene, path: string): Promise<Answer> {
  for (;;) {
    const answer = await send(scene, path);
    if (!UNFINISHED.includes(answer.status ?? '')) return answer;
    await sleep(200);
  }
}

function jobs(scene: Scene): Case[] {
  const { site, articles } = addresses(scene.web);
  return [
    {
      name: 'crawl, status, errors, active, cancel',
      async run() {
        const empty = { prompt: '', includePaths: [''], excludePaths: [''], robotsUserAgent: '' };
        const { id } = await send(scene, '/crawl', { ...empty, url: site, limit: 3, maxConcurrency: 100 });
        expect((await ended(scene, `/crawl/${id}`)).status === 'completed', 'a completed crawl');
        await send(scene, `/crawl/${id}/errors`);
        await send(scene, '/crawl/active');
        const stalled = { ...empty, url: scene.web.url('fault.test', '/stalled-headers'), limit: 3 };
        const other = await send(scene, '/crawl', stalled);
        await send(scene, `/crawl/${other.id}`, undefined, 'DELETE');
      },
    },
    {
      name: 'batch, status, errors',
      async run() {
        const { id } = await send(scene, '/batch/scrape', { urls: articles, parsers: ['pdf'], includeTags: [] });
        expect((await ended(scene, `/batch/scrape/${id}`)).status === 'completed', 'a completed batch');
        await send(scene, `/batch/scrape/${id}/errors`);
      },
    },
  ];
}

const accounts = (scene: Scene): Case[] =>
  ['credit-usage', 'credit-usage/historical', 'token-usage', 'token-usage/historical', 'queue-status'].map((path) => ({
    name: path,
    run: () => send(scene, `/team/${path}`),
  }));

const OPEN = { ttl: 60, activityTtl: 60, streamWebView: true };

function browsers(scene: Scene): Case[] {
  const skip = scene.noBrowser ?? scene.noSandbox;
  return [
    {
      name: 'browser: execute',
      skip,
      async run() {
        const { id } = await send(scene, '/browser', OPEN);
        await send(scene, `/browser/${id}/execute`, { code: 'page.url()', language: 'node', timeout: 60 });
        await send(scene, `/browser/${id}`, undefined, 'DELETE');
      },
    },
    {
      name: 'browser: open, list, close',
      skip: scene.noBrowser,
      async run() {
        const { id } = await send(scene, '/browser', OPEN);
        await send(scene, '/browser');
        await send(scene, `/browser/${id}`, undefined, 'DELETE');
      },
    },
    {
      name: 'interact: code',
      skip,
      async run() {
        const { counter } = addresses(scene.web);
        const { data } = await send(scene, '/scrape', { url: counter, formats: ['markdown'], maxAge: 0 });
        const path = `/scrape/${data.metadata.scrapeId}/interact`;
        const code = { code: 'page.url()', language: 'node', timeout: 60 };
        expect(JSON.stringify(await send(scene, path, code)).includes(counter), 'the address of the page');
        await send(scene, path, undefined, 'DELETE');
      },
    },
  ];
}

/** Calls that go on by themselves, or that a language model makes better. */
function later(scene: Scene): Case[] {
  const { page, site } = addresses(scene.web);
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  return [
    {
      name: 'scrape: json',
      run: () => send(scene, '/scrape', { url: page, formats: [{ type: 'json', prompt: 'The title', schema }] }),
    },
    {
      name: 'extract',
      async run() {
        const options = { ignoreSitemap: false, includeSubdomains: false, enableWebSearch: false, showSources: false };
        const { id } = await send(scene, '/extract', { ...options, urls: [page], prompt: 'The title', schema });
        expect('title' in (await ended(scene, `/extract/${id}`)).data, 'a title');
      },
    },
    {
      name: 'agent',
      async run() {
        const empty = { maxCredits: 100, strictConstrainToURLs: false, model: 'spark-1-mini' };
        const { id } = await send(scene, '/agent', { ...empty, prompt: 'Find the title', urls: [page], schema });
        expect('title' in (await ended(scene, `/agent/${id}`)).data, 'a title');
      },
    },
    {
      name: 'crawl: params preview',
      run: () => send(scene, '/crawl/params-preview', { url: site, prompt: 'Only the articles' }),
    },
  ];
}
