// The public JS SDK in three versions. Calls that a version does not have are not among its cases.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Firecrawl } from 'firecrawl';
import { installNpm } from '../install.ts';
import {
  addresses,
  type Case,
  type Client,
  clientFolder,
  expect,
  expectError,
  type Scene,
  UPLOAD_HTML,
} from './client.ts';

type Sdk = Firecrawl;
type Connect = (key?: string) => Sdk;

export const jsSdk = (version: string): Client => ({
  name: 'JS SDK',
  version,
  async open(scene) {
    const packages = installNpm(clientFolder(`firecrawl-${version}`), { firecrawl: version });
    const { Firecrawl: Sdk } = (await import(
      pathToFileURL(join(packages, 'firecrawl/dist/index.js')).href
    )) as typeof import('firecrawl');
    const connect = (apiKey = scene.service.key) => new Sdk({ apiKey, apiUrl: scene.service.url });
    const cases = [scrapes, finds, jobs, accounts, browsers, later].flatMap((group) => group(connect, scene));
    return { cases };
  },
});

function scrapes(connect: Connect, { web, noBrowser }: Scene): Case[] {
  const { page, missing } = addresses(web);
  return [
    {
      name: 'scrape: markdown, html, links',
      async run() {
        const found = await connect().scrape(page, { formats: ['markdown', 'html', 'links'] });
        expect(/First point/.test(found.markdown ?? ''), 'Markdown of the page', found);
        expect(/<p/.test(found.html ?? ''), 'HTML', found.html);
        expect((found.links?.length ?? 0) > 0, 'links', found.links);
      },
    },
    {
      name: 'scrape: screenshot',
      skip: noBrowser,
      async run() {
        const { screenshot } = await connect().scrape(page, { formats: ['screenshot'] });
        expect((await fetch(screenshot!)).headers.get('content-type') === 'image/png', 'a picture', screenshot);
      },
    },
    {
      name: 'scrape: page with status 404',
      async run() {
        const { metadata } = await connect().scrape(missing);
        expect(metadata?.statusCode === 404, 'status 404', metadata);
      },
    },
    { name: 'error: wrong key', run: () => expectError(/401|unauthorized/i, () => connect('fc-wrong').scrape(page)) },
    { name: 'error: bad URL', run: () => expectError(/url/i, () => connect().scrape('http://')) },
    {
      name: 'error: unknown host',
      run: () => expectError(/resolved/, () => connect().scrape('http://no-such-host.invalid/')),
    },
    {
      name: 'parse: upload',
      async run() {
        const found = await connect().parse({ data: UPLOAD_HTML, filename: 'note.html' });
        expect(/# Upload/.test(found.markdown ?? ''), 'Markdown of the file', found);
      },
    },
  ];
}

function finds(connect: Connect, { web }: Scene): Case[] {
  return [
    {
      name: 'map',
      async run() {
        const { links } = await connect().map(addresses(web).mapped);
        expect(links.length > 3 && links.every(({ url }) => url !== ''), 'links of the site', links);
      },
    },
    {
      name: 'search',
      async run() {
        const { web: found } = await connect().search('brass kettle', { limit: 2 });
        expect(found?.length === 2 && 'url' in found[0]!, 'two results', found);
      },
    },
    {
      name: 'search: scrapeOptions',
      async run() {
        const request = { limit: 1, scrapeOptions: { formats: ['markdown' as const] } };
        const { web: found } = await connect().search('invar pendulum', request);
        expect(/The last paragraph/.test(JSON.stringify(found)), 'the Markdown of a result', found);
      },
    },
  ];
}

function jobs(connect: Connect, { web }: Scene): Case[] {
  const { shop, site, articles } = addresses(web);
  const crawlOptions = { limit: 130, scrapeOptions: { formats: ['links' as const] } };
  return [
    {
      name: 'crawl: waiter and pagination',
      async run() {
        const { id, status, data } = await connect().crawl(shop, { ...crawlOptions, pollInterval: 1, timeout: 60 });
        expect(status === 'completed' && data.length === 130, '130 pages', [status, data.length]);
        const first = await connect().getCrawlStatus(id, { autoPaginate: false });
        expect(first.data.length === 100 && first.next != null, '100 pages and a next', [
          first.data.length,
          first.next,
        ]);
      },
    },
    {
      name: 'crawl: watcher',
      async run() {
        const { id } = await connect().startCrawl(site, { limit: 3 });
        const watcher = connect().watcher(id, { kind: 'crawl', pollInterval: 1 });
        let documents = 0;
        const ended = new Promise((resolve, reject) => {
          watcher.on('document', () => {
            documents += 1;
          });
          watcher.on('done', ({ status }: { status: string }) => resolve(status));
          watcher.on('error', reject);
        });
        await watcher.start();
        expect((await ended) === 'completed' && documents === 3, 'three documents', documents);
      },
    },
    {
      name: 'crawl: cancel, errors, active',
      async run() {
        const { id } = await connect().startCrawl(web.url('fault.test', '/stalled-headers'));
        const { crawls } = await connect().getActiveCrawls();
        expect(
          crawls.some((crawl) => crawl.id === id),
          'the crawl among the active ones',
          crawls,
        );
        expect(await connect().cancelCrawl(id), 'true');
        const { errors } = await connect().getCrawlErrors(id);
        expect(Array.isArray(errors), 'a list of errors', errors);
      },
    },
    {
      name: 'batch: waiter',
      async run() {
        const job = await connect().batchScrape(articles, { options: { formats: ['markdown'] }, pollInterval: 1 });
        expect(job.status === 'completed' && job.data.length === 3, 'three pages', job.status);
        const { errors } = await connect().getBatchScrapeErrors(job.id);
        expect(errors.length === 0, 'no errors', errors);
      },
    },
  ];
}

function accounts(connect: Connect, _scene: Scene): Case[] {
  return [
    {
      name: 'credit usage',
      async run() {
        const usage = await connect().getCreditUsage();
        expect(usage.remainingCredits > 0, 'credits', usage);
      },
    },
    {
      name: 'credit usage: historical',
      async run() {
        const { periods } = await connect().getCreditUsageHistorical(true);
        expect(periods.length > 0, 'periods', periods);
      },
    },
    {
      name: 'token usage',
      async run() {
        const usage = await connect().getTokenUsage();
        expect(typeof usage.remainingTokens === 'number', 'tokens', usage);
        const { periods } = await connect().getTokenUsageHistorical();
        expect(Array.isArray(periods), 'periods', periods);
      },
    },
    {
      name: 'queue status and concurrency',
      async run() {
        const queue = await connect().getQueueStatus();
        expect(typeof queue.maxConcurrency === 'number', 'a queue', queue);
        const { maxConcurrency } = await connect().getConcurrency();
        expect(maxConcurrency > 0, 'a concurrency', maxConcurrency);
      },
    },
  ];
}

function browsers(connect: Connect, { web, noBrowser, noSandbox }: Scene): Case[] {
  return [
    {
      name: 'browser: execute',
      skip: noBrowser ?? noSandbox,
      async run() {
        const session = await connect().browser({ ttl: 60 });
        const code = 'page.url()';
        const { result, success } = await connect().browserExecute(session.id!, { code, language: 'node' });
        expect(success && result === 'about:blank', 'the address of an empty page', result);
        await connect().deleteBrowser(session.id!);
      },
    },
    {
      name: 'browser: open, list, close',
      skip: noBrowser,
      async run() {
        const session = await connect().browser({ ttl: 60 });
        const { sessions } = await connect().listBrowsers({ status: 'active' });
        expect(sessions?.some(({ id }) => id === session.id) === true, 'the session', sessions);
        expect((await connect().deleteBrowser(session.id!)).success, 'success');
      },
    },
    {
      name: 'interact: code',
      skip: noBrowser ?? noSandbox,
      async run() {
        const { metadata } = await connect().scrape(addresses(web).counter, { maxAge: 0 });
        const id = metadata!.scrapeId!;
        const answer = await connect().interact(id, { code: 'page.url()', timeout: 60 });
        expect(answer.result === addresses(web).counter, 'the address of the page', answer);
        expect((await connect().stopInteraction(id)).success, 'success');
      },
    },
  ];
}

/** Calls that go on by themselves, or that a language model makes better. */
function later(connect: Connect, { web, noBrowser }: Scene): Case[] {
  const { page, site } = addresses(web);
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  return [
    {
      name: 'scrape: json',
      async run() {
        const { json } = await connect().scrape(page, { formats: [{ type: 'json', schema }] });
        expect(json !== undefined, 'an object', json);
      },
    },
    {
      name: 'scrape: summary',
      async run() {
        const { summary } = await connect().scrape(page, { formats: ['summary'] });
        expect(summary !== undefined, 'a summary', summary);
      },
    },
    {
      name: 'crawl: prompt',
      run: () => connect().startCrawl(site, { prompt: 'Only the articles', limit: 1 }),
    },
    {
      name: 'interact: prompt',
      skip: noBrowser,
      async run() {
        const { metadata } = await connect().scrape(page);
        await connect().interact(metadata!.scrapeId!, { prompt: 'What is the title?' });
      },
    },
    {
      name: 'extract',
      async run() {
        const { status, data } = await connect().extract({ urls: [page], schema, pollInterval: 1, timeout: 30 });
        expect(status === 'completed' && 'title' in Object(data), 'a title', data);
      },
    },
    {
      name: 'agent',
      async run() {
        const request = { prompt: 'Find the title', urls: [page], schema, pollInterval: 1, timeout: 30 };
        const { status, data } = await connect().agent(request);
        expect(status === 'completed' && 'title' in Object(data), 'a title', data);
      },
    },
    { name: 'monitor: list', run: () => connect().listMonitors() },
    {
      name: 'monitor: create, run, check, update, delete',
      async run() {
        const sdk = connect();
        const { id } = await sdk.createMonitor({
          name: 'News',
          schedule: { text: 'every 30 minutes', timezone: 'UTC' },
          targets: [{ type: 'scrape', urls: [page] }],
        });
        const check = await sdk.runMonitor(id);
        let state = await sdk.getMonitorCheck(id, check.id);
        for (; ['queued', 'running'].includes(state.status); state = await sdk.getMonitorCheck(id, check.id)) {
          await sleep(200);
        }
        expect(state.status === 'completed' && state.pages.length === 1, 'one page', state);
        expect((await sdk.updateMonitor(id, { status: 'paused' })).status === 'paused', 'a paused monitor');
        expect(await sdk.deleteMonitor(id), 'true');
      },
    },
  ];
}
