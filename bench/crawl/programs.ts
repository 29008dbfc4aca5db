// What `deterministicJson` adds to a crawl: the same pages to Markdown, and to Markdown and data, in turn. A model server of
// the bench writes the program in the warm-up.
import { startModelServer } from '../../test/support/models/model-server.ts';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { probeSettings } from '../event-loop.ts';
import { type BenchOptions, median, type Row } from '../report.ts';
import { type BenchSite, startSite } from '../site/site.ts';
import { type CrawlClient, createCrawlClient } from './crawl-client.ts';
import { watchCrawl } from './watch-crawl.ts';

const HOST = 'crawl.test';
const WARM_UP = 200;
const ROUNDS = 3;

const SCHEMA = {
  type: 'object',
  properties: {
    headline: { type: 'string' },
    text: { type: 'string' },
    links: {
      type: 'array',
      items: { type: 'object', properties: { label: { type: 'string' }, url: { type: 'string', format: 'uri' } } },
    },
  },
  required: ['headline', 'text', 'links'],
};
const PROGRAM = {
  rules: [
    { path: 'headline', selector: 'h1', take: 'text', sample: '' },
    { path: 'text', selector: 'main p', take: 'text', sample: '' },
    { path: 'links[].label', selector: 'a', take: 'text', sample: '' },
    { path: 'links[].url', selector: 'a', take: 'href', sample: '' },
  ],
  lists: [{ path: 'links', selector: 'main li:has(a)' }],
};

const KINDS = {
  Markdown: ['markdown'],
  'Markdown and data': ['markdown', { type: 'deterministicJson', schema: SCHEMA }],
};

export async function programs({ count = 1_000, concurrency }: BenchOptions): Promise<Row[]> {
  const site = await startSite('crawl', count);
  const model = await startModelServer(() => ({ text: PROGRAM }));
  const settings = { ...site.settings, ...model.settings(), ...probeSettings };
  // Hosts on this list may be crawled with more requests at once than others.
  const TRAWL_ALLOW_NETWORKS = [site.settings.TRAWL_ALLOW_NETWORKS, HOST].join();
  const service = await startService({ ...settings, TRAWL_ALLOW_NETWORKS }, { checkAnswers: false });
  const client = createCrawlClient(service);
  try {
    const crawl = createCrawl({ site, client, service, concurrency });
    for (const formats of Object.values(KINDS)) await crawl(formats, Math.min(WARM_UP, count));
    const asked = model.calls.length;
    const measured = new Map<string, Map<string, number[]>>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, formats] of Object.entries(KINDS)) {
        console.log(`  ${kind}, round ${round + 1} of ${ROUNDS}`);
        for (const { measure, value } of await crawl(formats, count)) add(measured, measure, kind, value);
      }
    }
    return [
      ...rowsOf(measured),
      { measure: 'calls of the model', value: model.calls.length, unit: '' },
      { measure: 'of them after the warm-up', value: model.calls.length - asked, unit: '' },
    ];
  } finally {
    await client.close();
    await service.stop();
    await model.close();
    await site.stop();
  }
}

interface Crawled {
  site: BenchSite;
  client: CrawlClient;
  service: RunningProgram;
  concurrency: number;
}

const createCrawl =
  ({ site, client, service: { pid }, concurrency }: Crawled) =>
  async (formats: unknown[], limit: number): Promise<Row[]> => {
    const scrapeOptions = { maxAge: 0, formats };
    const path = await client.start({ url: site.url(HOST, '/'), limit, maxConcurrency: concurrency, scrapeOptions });
    const { quiet, costs } = await watchCrawl(client, path, pid, []);
    return [
      { measure: 'CPU time a page', value: (quiet.cpu * 1000) / quiet.pages, unit: 'ms' },
      ...costs.rows(quiet.pages),
    ];
  };

function add(measured: Map<string, Map<string, number[]>>, measure: string, kind: string, value: number): void {
  const kinds = measured.get(measure) ?? new Map<string, number[]>();
  measured.set(measure, kinds.set(kind, [...(kinds.get(kind) ?? []), value]));
}

/** Threads that are not in all rounds cost next to nothing. */
const rowsOf = (measured: ReadonlyMap<string, ReadonlyMap<string, number[]>>): Row[] =>
  [...measured]
    .filter(([, kinds]) => Object.keys(KINDS).every((kind) => kinds.get(kind)?.length === ROUNDS))
    .flatMap(([measure, kinds]) =>
      [...kinds].map(([kind, values]) => ({ measure: `${measure}, ${kind}`, value: median(values), unit: 'ms' })),
    );
