// The JS SDK of version 1 of the interface, unchanged.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpm } from '../../install.ts';
import { addresses, type Case, type Client, clientFolder, expect, expectError, type Scene } from '../client.ts';

const VERSION = '1.29.3';

interface Answer {
  success?: boolean;
  status?: string;
  id?: string;
  markdown?: string;
  links?: string[];
  data?: Record<string, unknown>[] & Record<string, unknown>;
  extract?: unknown;
  metadata?: { statusCode?: number };
}

type Call = (...args: unknown[]) => Promise<Answer>;
type Sdk = Record<
  'scrapeUrl' | 'crawlUrl' | 'asyncCrawlUrl' | 'checkCrawlStatus' | 'cancelCrawl' | 'checkCrawlErrors' | 'mapUrl',
  Call
> &
  Record<'batchScrapeUrls' | 'search' | 'extract', Call> & {
    crawlUrlAndWatch(url: string, options: object): Promise<EventTarget>;
  };
type SdkClass = new (options: { apiKey: string; apiUrl: string }) => Sdk;

export const jsSdkV1: Client = {
  name: 'JS SDK of v1',
  version: VERSION,
  async open(scene) {
    const packages = installNpm(clientFolder(`firecrawl-js-${VERSION}`), { '@mendable/firecrawl-js': VERSION });
    const file = pathToFileURL(join(packages, '@mendable/firecrawl-js/dist/index.js')).href;
    const { default: Sdk } = (await import(file)) as { default: SdkClass };
    const connect = (apiKey = scene.service.key) => new Sdk({ apiKey, apiUrl: scene.service.url });
    return { cases: [...pages(connect, scene), ...jobs(connect, scene)] };
  },
};

type Connect = (key?: string) => Sdk;

function pages(connect: Connect, { web }: Scene): Case[] {
  const { page, missing, mapped } = addresses(web);
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  return [
    {
      name: 'scrape: markdown, links',
      async run() {
        const found = await connect().scrapeUrl(page, { formats: ['markdown', 'links'] });
        expect(/First point/.test(found.markdown ?? '') && found.links!.length > 0, 'Markdown and links', found);
      },
    },
    {
      name: 'scrape: extract',
      async run() {
        const found = await connect().scrapeUrl(page, { formats: ['extract'], extract: { schema } });
        expect('title' in Object(found.extract), 'a title', found);
      },
    },
    {
      name: 'scrape: page with status 404',
      async run() {
        const { metadata } = await connect().scrapeUrl(missing);
        expect(metadata?.statusCode === 404, 'status 404', metadata);
      },
    },
    { name: 'error: wrong key', run: () => expectError(/401|unauthorized/i, () => connect('fc-no').scrapeUrl(page)) },
    {
      name: 'map',
      async run() {
        const { links } = await connect().mapUrl(mapped);
        expect((links?.length ?? 0) > 3 && links!.every((link) => typeof link === 'string'), 'links as text', links);
      },
    },
    {
      name: 'search',
      async run() {
        const { data } = await connect().search('brass kettle', { limit: 2 });
        expect(data?.length === 2 && typeof data[0]!.url === 'string', 'two results', data);
      },
    },
    {
      name: 'search: scrapeOptions',
      async run() {
        const { data } = await connect().search('invar pendulum', { scrapeOptions: { formats: ['markdown'] } });
        expect(/The last paragraph/.test(JSON.stringify(data)), 'the Markdown of a result', data);
      },
    },
    {
      name: 'extract',
      async run() {
        const { success, data } = await connect().extract([page], { schema });
        expect(success === true && 'title' in Object(data), 'a title', data);
      },
    },
  ];
}

function jobs(connect: Connect, { web }: Scene): Case[] {
  const { site, articles } = addresses(web);
  return [
    {
      name: 'crawl: waiter, errors',
      async run() {
        const found = await connect().crawlUrl(site, { limit: 3 }, 1);
        expect(found.status === 'completed' && found.data?.length === 3, 'three documents', found);
        const { id } = await connect().asyncCrawlUrl(site, { limit: 1 });
        const { errors } = (await connect().checkCrawlErrors(id)) as { errors?: unknown[] };
        expect(Array.isArray(errors), 'errors', errors);
      },
    },
    {
      name: 'crawl: cancel',
      async run() {
        const { id } = await connect().asyncCrawlUrl(web.url('fault.test', '/stalled-headers'), { limit: 3 });
        expect((await connect().cancelCrawl(id)).status === 'cancelled', 'a cancelled crawl');
        expect((await connect().checkCrawlStatus(id)).status === 'cancelled', 'its status');
      },
    },
    {
      name: 'crawl: watch',
      async run() {
        const watcher = await connect().crawlUrlAndWatch(site, { limit: 2 });
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        watcher.addEventListener('done', resolve);
        watcher.addEventListener('error', () => reject(new Error('The watcher reported an error.')));
        await promise;
      },
    },
    {
      name: 'batch: waiter',
      async run() {
        const found = await connect().batchScrapeUrls(articles, { formats: ['markdown'] }, 1);
        expect(found.status === 'completed' && found.data?.length === articles.length, 'all documents', found);
      },
    },
  ];
}
