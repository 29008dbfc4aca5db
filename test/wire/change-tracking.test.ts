// Change tracking as a caller sees it: scrapes, batches and crawls say how a page differs from the last look at it.
import assert from 'node:assert/strict';
import { beforeEach, describe } from 'node:test';
import { Firecrawl } from 'firecrawl';
import type { PageChanges } from '../../src/contracts/formats/page-changes.ts';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, type JobDocument, runJob } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { page, type Site, send } from '../support/web/reply.ts';

const HOST = 'ledger.test';
const FORMATS = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }];

interface Tracked {
  changeTracking?: PageChanges;
  warning?: string;
  metadata: { statusCode: number; creditsUsed: number };
}

/** What the site serves: a text, or a status. Pages that are not here are gone. */
const served = new Map<string, string | number>();

const FILLER = `<p>${'The ledger lists what came in and what went out, week by week. '.repeat(5)}</p>`;
const site: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/*': (exchange) => {
    const found = served.get(exchange.path) ?? 404;
    const isText = typeof found === 'string';
    const text = `<h1>Ledger of ${exchange.path}</h1>${FILLER}<p>${isText ? found : 'No such page.'}</p>`;
    send(exchange, page('Ledger', text), { status: isText ? 200 : found });
  },
};

const scene = useService({}, undefined, { [HOST]: site });
beforeEach(() => served.clear());

async function look(path: string, options: object = {}): Promise<Tracked> {
  const { status, body } = await scene.service.scrape<{ data: Tracked }>({
    url: scene.web.url(HOST, path),
    formats: FORMATS,
    ...options,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

const statusOf = async (path: string, options?: object) => (await look(path, options)).changeTracking?.changeStatus;

describe('a scrape', () => {
  test('finds a page new, then the same, then changed, each compared with the look before', async () => {
    served.set('/a', 'Two barrels.');
    const first = await look('/a');
    assert.deepEqual(first.changeTracking, { previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' });
    const second = await look('/a');
    assert.equal(second.changeTracking?.changeStatus, 'same');
    assert.ok(Date.parse(second.changeTracking!.previousScrapeAt!) <= Date.now());
    assert.equal(second.metadata.creditsUsed, 1);

    served.set('/a', 'Three barrels.');
    const { changeTracking: third } = await look('/a');
    assert.ok(Date.parse(third!.previousScrapeAt!) >= Date.parse(second.changeTracking!.previousScrapeAt!));
    assert.equal(third?.changeStatus, 'changed');
    assert.match(third.diff!.text, /^--- previous\n\+\+\+ current\n@@ .*\n-Two barrels\.\n\+Three barrels\.\n/s);
    const [file] = third.diff!.json.files;
    assert.deepEqual([file?.from, file?.to], ['previous', 'current']);
    const changes = file!.chunks.flatMap((chunk) => chunk.changes);
    assert.deepEqual(
      changes.filter(({ type }) => type !== 'normal').map(({ content }) => content),
      ['-Two barrels.', '+Three barrels.'],
    );
    assert.equal(await statusOf('/a'), 'same', 'the changed version is what comes next is compared with');
  });

  test('no longer calls a page changed whose counter has moved at three looks, and names the line', async () => {
    const visits = async (count: number) => {
      served.set('/counter', `${count} passed the gate.`);
      return (await look('/counter')).changeTracking!;
    };
    for (const count of [10, 25, 31]) await visits(count);
    assert.equal((await visits(48)).changeStatus, 'changed');
    const { changeStatus, restless, diff } = await visits(60);
    assert.deepEqual([changeStatus, restless, diff], ['same', ['60 passed the gate.'], undefined]);
    served.set('/counter', '71 passed the gate.</p><p>The gate is shut.');
    const changed = await look('/counter');
    assert.deepEqual(changed.changeTracking!.restless, ['71 passed the gate.']);
    assert.match(changed.changeTracking!.diff!.text, /^\+The gate is shut\.$/m);
    assert.doesNotMatch(changed.changeTracking!.diff!.text, /^[-+].*passed/m);
  });

  test('gives no diff without its mode', async () => {
    const formats = ['markdown', 'changeTracking'];
    served.set('/b', 'one');
    await look('/b', { formats });
    served.set('/b', 'two');
    const { changeTracking } = await look('/b', { formats });
    assert.deepEqual(Object.keys(changeTracking!).sort(), ['changeStatus', 'previousScrapeAt', 'visibility']);
  });

  test('calls a page removed that is not found, also on the first look, and compares with the last text later', async () => {
    const gone = await look('/c');
    assert.deepEqual(gone.changeTracking, { previousScrapeAt: null, changeStatus: 'removed', visibility: 'visible' });
    served.set('/c', 'here');
    assert.equal(await statusOf('/c'), 'new');
    served.set('/c', 410);
    const again = await look('/c');
    assert.equal(again.changeTracking?.changeStatus, 'removed');
    assert.notEqual(again.changeTracking.previousScrapeAt, null);
    served.set('/c', 'here');
    assert.equal(await statusOf('/c'), 'same');
  });

  test('compares nothing with an error page', async () => {
    served.set('/d', 'fine');
    await look('/d');
    served.set('/d', 500);
    const failed = await look('/d');
    assert.equal(failed.changeTracking, undefined);
    assert.match(failed.warning!, /^`changeTracking` is missing, because the site answered with the status 500\./);
    served.set('/d', 'fine');
    assert.equal(await statusOf('/d'), 'same');
  });

  test('keeps a history for each tag, and one without', async () => {
    const tagged = (tag: string | null) => ({ formats: ['markdown', { type: 'changeTracking', tag }] });
    served.set('/e', 'one');
    assert.equal(await statusOf('/e', tagged('daily')), 'new');
    served.set('/e', 'two');
    assert.equal(await statusOf('/e', tagged(null)), 'new');
    assert.equal(await statusOf('/e', tagged('weekly')), 'new');
    assert.equal(await statusOf('/e', tagged('daily')), 'changed');
    assert.equal(await statusOf('/e', { formats: ['markdown', 'changeTracking'] }), 'same');
  });

  test('looks at the site, whatever is cached, and says if options may be the reason', async () => {
    served.set('/f', 'old');
    await scene.service.scrape({ url: scene.web.url(HOST, '/f') });
    served.set('/f', 'new');
    const { changeTracking } = await look('/f', { maxAge: 3_600_000 });
    assert.equal(changeTracking?.changeStatus, 'new');
    const { warning, changeTracking: narrow } = await look('/f', { includeTags: ['h1'] });
    assert.equal(narrow?.changeStatus, 'changed');
    assert.match(warning!, /other options \(`includeTags`\)/);
  });

  test('with zero data retention or from the cache alone is answered without it', async () => {
    served.set('/g', 'secret');
    const traceless = await look('/g', { zeroDataRetention: true });
    assert.equal(traceless.changeTracking, undefined);
    assert.match(traceless.warning!, /`changeTracking` is not supported with zero data retention\./);
    assert.equal(await statusOf('/g'), 'new', 'it left no look');
    const stored = await look('/g', { minAge: 0 });
    assert.equal(stored.changeTracking, undefined);
    assert.match(stored.warning!, /`minAge`/);
  });

  test('many at once leave a history that can be compared with', async () => {
    served.set('/h', 'one');
    await look('/h');
    served.set('/h', 'two');
    const looks = await Promise.all(Array.from({ length: 8 }, () => look('/h')));
    const found = looks.map(({ changeTracking }) => changeTracking?.changeStatus);
    assert.ok(found.includes('changed'), String(found));
    assert.ok(
      found.every((status) => status === 'changed' || status === 'same'),
      String(found),
    );
    assert.equal(await statusOf('/h'), 'same');
  });

  test('needs the Markdown, and answers one format of its kind', async () => {
    for (const formats of [['changeTracking'], ['markdown', 'changeTracking', { type: 'changeTracking', tag: 'b' }]]) {
      const { status, body } = await scene.service.scrape<{ error: string }>({
        url: scene.web.url(HOST, '/a'),
        formats,
      });
      assert.equal(status, 400);
      assert.match(JSON.stringify(body), /changeTracking format/);
    }
  });

  fullTest('is read by the public SDK', async () => {
    const client = new Firecrawl({ apiKey: scene.service.key, apiUrl: scene.service.url });
    const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] as never;
    served.set('/sdk', 'one');
    const url = scene.web.url(HOST, '/sdk');
    await client.scrape(url, { formats });
    served.set('/sdk', 'two');
    const { changeTracking } = await client.scrape(url, { formats });
    assert.equal((changeTracking as PageChanges).changeStatus, 'changed');
    const { data } = await client.batchScrape([url], { options: { formats } });
    assert.equal((data[0]!.changeTracking as PageChanges).changeStatus, 'same');
  });
});

const statuses = (documents: JobDocument[]) =>
  Object.fromEntries(
    documents.map((document) => {
      const { changeStatus, visibility } = (document as unknown as Tracked).changeTracking ?? {};
      return [new URL(document.metadata.sourceURL).pathname, `${changeStatus} ${visibility}`];
    }),
  );

describe('a batch', () => {
  test('compares each of its pages, also with scrapes', async () => {
    for (const path of ['/one', '/two', '/three']) served.set(path, 'text');
    await look('/one');
    await look('/two');
    served.set('/two', 'another text');
    const urls = ['/one', '/two', '/three', '/four'].map((path) => scene.web.url(HOST, path));
    const { documents } = await runJob(scene.service, BATCH, { urls, formats: FORMATS });
    assert.deepEqual(statuses(documents), {
      '/one': 'same visible',
      '/two': 'changed visible',
      '/three': 'new visible',
      '/four': 'removed visible',
    });
  });
});

describe('a crawl', () => {
  const link = (path: string) => `<a href="${path}">Page ${path}</a>`;
  const crawl = async (options: object = {}) => {
    const request = { url: scene.web.url(HOST, '/site/'), limit: 20, scrapeOptions: { formats: FORMATS }, ...options };
    return runJob(scene.service, CRAWL, request);
  };

  test('also looks at what earlier crawls have found: hidden if nothing links to it, removed if it is gone', async () => {
    served.set('/site/', `Start ${link('/site/a')} ${link('/site/b')} ${link('/site/c')}`);
    for (const name of ['a', 'b', 'c']) served.set(`/site/${name}`, `Page ${name}`);
    const first = await crawl();
    assert.deepEqual(statuses(first.documents), {
      '/site/': 'new visible',
      '/site/a': 'new visible',
      '/site/b': 'new visible',
      '/site/c': 'new visible',
    });

    served.set('/site/', `Start ${link('/site/a')} ${link('/site/d')}`);
    served.set('/site/a', 'Page a has grown');
    served.set('/site/d', 'Page d');
    served.delete('/site/c');
    const second = await crawl();
    assert.deepEqual(statuses(second.documents), {
      '/site/': 'changed visible',
      '/site/a': 'changed visible',
      '/site/d': 'new visible',
      '/site/b': 'same hidden',
      '/site/c': 'removed hidden',
    });
    assert.equal(second.status.total, 5);

    const third = await crawl();
    assert.deepEqual(statuses(third.documents), {
      '/site/': 'same visible',
      '/site/a': 'same visible',
      '/site/d': 'same visible',
      '/site/b': 'same hidden',
    });
    const narrow = await crawl({ excludePaths: ['/site/b'] });
    assert.equal('/site/b' in statuses(narrow.documents), false, 'what is out of scope is not looked at');
    const shallow = await crawl({ maxDiscoveryDepth: 0 });
    const found = { '/site/': 'same visible', '/site/b': 'same hidden' };
    assert.deepEqual(statuses(shallow.documents), found, 'what is linked is not hidden, even if it is not followed');
    const small = await crawl({ limit: 3 });
    assert.equal(small.documents.length, 3);
    assert.equal('/site/b' in statuses(small.documents), false, 'what is linked comes first');
  });

  test('without change tracking finds only what is linked', async () => {
    served.set('/site/', `Start ${link('/site/a')}`);
    served.set('/site/a', 'Page a');
    served.set('/site/b', 'Page b');
    const { documents } = await crawl({ scrapeOptions: { formats: ['markdown'], maxAge: 0 } });
    assert.deepEqual(Object.keys(statuses(documents)).sort(), ['/site/', '/site/a']);
  });
});
