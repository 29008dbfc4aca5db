// Which pages belong to a crawl: every option that widens or narrows it, and sitemaps.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { type EndedJob, pathsOf, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { docsPaths } from '../support/web/crawl-docs.ts';
import { sitemapPaths } from '../support/web/sitemaps.ts';

const scene = useService();

const crawl = (host: string, options: object = {}, path = '/'): Promise<EndedJob> =>
  runCrawl(scene.service, { url: scene.web.url(host, path), ...options });

/** Host and path of each document, sorted. */
const addressesOf = ({ documents }: EndedJob): string[] =>
  documents
    .map(({ metadata }) => new URL(metadata.url))
    .map(({ hostname, pathname }) => hostname + pathname)
    .sort();

const posts = docsPaths.blog.slice(1);

describe('paths', { concurrency: true }, () => {
  fullTest('includePaths leaves the start page out, but follows its links', async () => {
    const { documents, status } = await crawl(
      'docs.test',
      { includePaths: ['^/blog/.+'], crawlEntireDomain: true },
      '/blog',
    );
    assert.deepEqual(pathsOf(documents), [...posts].sort());
    assert.equal(status.total, posts.length);
  });

  fullTest('excluded pages are neither read nor followed', async () => {
    const { documents } = await crawl('docs.test', { excludePaths: ['^/docs', '^/DOCS', '^/misuse/', 'glass$'] });
    const left = ['/', '/broken', '/missing', ...docsPaths.blog.filter((path) => path !== '/blog/glass')];
    assert.deepEqual(pathsOf(documents), left.sort());
  });

  test('includePaths and excludePaths apply together', async () => {
    const { documents } = await crawl(
      'docs.test',
      { includePaths: ['blog/'], excludePaths: ['/g', '^/blog/river$'] },
      '/blog',
    );
    const expected = posts.filter((path) => !path.includes('/g') && path !== '/blog/river');
    assert.deepEqual(pathsOf(documents), expected.sort());
  });

  fullTest('regexOnFullURL matches the expressions against the whole address', async () => {
    const full = { regexOnFullURL: true };
    const include = [`^http://docs\\.test:\\d+/blog/[a-g]`];
    const { documents } = await crawl('docs.test', { includePaths: include, ...full }, '/blog');
    assert.deepEqual(pathsOf(documents), posts.filter((path) => /\/blog\/[a-g]/.test(path)).sort());
    const onPath = await crawl('docs.test', { includePaths: include }, '/blog');
    assert.deepEqual(onPath.documents, []);
  });

  test('only pages below the path of the start are crawled, unless crawlEntireDomain is set', async () => {
    const below = await crawl('docs.test', {}, '/blog');
    assert.deepEqual(pathsOf(below.documents), [...docsPaths.blog].sort());
    const all = await crawl('docs.test', { crawlEntireDomain: true, limit: 1000 }, '/blog/river');
    assert.equal(all.documents.length, Object.values(docsPaths).flat().length);
  });

  fullTest('a crawl that finds hardly anything below its start says how to get more', async () => {
    const { status } = await crawl('docs.test', {}, '/blog/river');
    assert.equal(status.completed, 1);
    assert.match(status.warning!, /crawlEntireDomain/);
  });
});

describe('duplicates', { concurrency: true }, () => {
  test('spellings of one address are one page', async () => {
    const { documents } = await crawl('docs.test', {}, '/variants');
    assert.equal(documents.length, 2);
  });

  test('without deduplicateSimilarURLs each spelling is a page, except for fragments', async () => {
    const { documents } = await crawl('docs.test', { deduplicateSimilarURLs: false }, '/variants');
    assert.deepEqual(
      documents.map(({ metadata: { url } }) => url).sort(),
      [
        scene.web.url('docs.test', '/variants'),
        scene.web.url('docs.test', '/VARIANTS/PAGE'),
        ...['/page', '/page/', '/page/index.html', '/page?utm_source=footer&gclid=17'].map((path) =>
          scene.web.url('docs.test', `/variants${path}`),
        ),
        scene.web.url('www.docs.test', '/variants/page'),
      ].sort(),
    );
  });

  test('a query makes another page, unless queries are ignored', async () => {
    const [apart, together] = await Promise.all([
      crawl('docs.test', {}, '/list'),
      crawl('docs.test', { ignoreQueryParameters: true }, '/list'),
    ]);
    assert.deepEqual(pathsOf(apart.documents), ['/list', ...[1, 2, 3].map((id) => `/list/item?id=${id}`)]);
    assert.equal(together.documents.length, 2);
  });
});

describe('reach', { concurrency: true }, () => {
  const chain = (last: number) => Array.from({ length: last }, (_, index) => `depth.test/${index + 1}`);

  test('maxDiscoveryDepth counts the links from the start page', async () => {
    const depths = [0, 1, 3, 10, undefined];
    const crawls = await Promise.all(depths.map((maxDiscoveryDepth) => crawl('depth.test', { maxDiscoveryDepth })));
    assert.deepEqual(
      crawls.map(addressesOf),
      [0, 1, 3, 10, 10].map((last) => ['depth.test/', ...chain(last)].sort()),
    );
  });

  fullTest('a start page that has moved to another host is crawled there', async () => {
    const { documents, problems } = await crawl('moved.test');
    assert.deepEqual(pathsOf(documents), [...docsPaths.blog].sort());
    const followed = await crawl('moved.test', { includePaths: ['^/blog/.'] });
    assert.deepEqual(pathsOf(followed.documents), [...posts].sort());
    // The robots.txt of the old host does not apply there.
    assert.deepEqual([problems.robotsBlocked, followed.problems.robotsBlocked], [[], []]);
  });

  test('allowSubdomains includes the hosts below the domain', async () => {
    const found = addressesOf(await crawl('depth.test', { allowSubdomains: true, maxDiscoveryDepth: 2 }));
    const below = ['a.depth.test/', 'a.depth.test/more', 'b.depth.test/deep/page', 'b.depth.test/other'];
    // `/other` returns a 404, which is a document, too.
    assert.deepEqual(found, [...below, 'depth.test/', ...chain(2)].sort());
  });

  test('allowExternalLinks follows one link outside, and only lists home pages', async () => {
    const job = await crawl('depth.test', { allowExternalLinks: true, maxDiscoveryDepth: 1 });
    assert.deepEqual(addressesOf(job), ['b.depth.test/deep/page', 'depth.test/', 'depth.test/1', 'outside.test/page']);
    assert.deepEqual(
      job.problems.errors.map(({ url, code }) => [url, code]).sort(),
      ['a.depth.test', 'outside.test'].map((host) => [scene.web.url(host), 'EXTERNAL_LINK']),
    );
    assert.equal(scene.web.requests('outside.test', '/further'), 0);
  });
});

describe('sitemaps', { concurrency: true }, () => {
  const listed = sitemapPaths('listed', 3);

  fullTest('include, skip and only choose between sitemaps and links', async () => {
    const modes = ['include', 'skip', 'only'] as const;
    const crawls = await Promise.all(modes.map((sitemap) => crawl('mapped.test', { sitemap })));
    assert.deepEqual(
      crawls.map(({ documents }) => pathsOf(documents)),
      [
        ['/', '/linked/1', '/linked/2', '/linked/3', ...listed],
        ['/', '/linked/1', '/linked/2'],
        ['/', ...listed],
      ],
    );
  });

  fullTest('pages from a sitemap have depth 0', async () => {
    const { documents } = await crawl('mapped.test', { maxDiscoveryDepth: 0 });
    assert.deepEqual(pathsOf(documents), ['/', ...listed]);
  });

  fullTest('the sitemaps of the host that the start page moved to count, too', async () => {
    const { documents } = await crawl('moved.test', { sitemap: 'only' }, '/mapped');
    assert.deepEqual(pathsOf(documents), ['/', ...listed]);
  });

  fullTest('a sitemap index with compressed and plain sitemaps is read completely', async () => {
    const { documents } = await crawl('sitemap-index.test', { sitemap: 'only' });
    const all = ['article', 'note', 'product'].flatMap((name) => sitemapPaths(name, 3));
    assert.deepEqual(pathsOf(documents), ['/', ...all]);
  });

  fullTest('endless sitemaps do not keep a crawl from ending', async () => {
    const [bomb, loop, huge] = await Promise.all([
      crawl('sitemap-bomb.test'),
      crawl('sitemap-loop.test'),
      crawl('sitemap-huge.test', { limit: 20, sitemap: 'only', scrapeOptions: { formats: ['links'] } }),
    ]);
    assert.deepEqual(pathsOf(bomb.documents), ['/']);
    assert.deepEqual(pathsOf(loop.documents), ['/', ...sitemapPaths('page', 2)]);
    assert.equal(huge.documents.length, 20);
  });
});

describe('limit', { concurrency: true }, () => {
  test('is reached even if every other page fails', async () => {
    const { status, documents, problems } = await crawl('flawed.test', { limit: 6 });
    assert.deepEqual([status.total, status.completed, documents.length], [6, 6, 6]);
    assert.ok(problems.errors.length >= 5);
    assert.ok(problems.errors.every(({ code }) => code === 'SCRAPE_UNSUPPORTED_FILE_ERROR'));
    assert.match(status.warning!, /could not be read\. GET \/v2\/crawl\/.*\/errors/);
  });

  test('is not reached if there are fewer pages', async () => {
    const { status, problems } = await crawl('flawed.test', { limit: 100 });
    assert.deepEqual([status.status, status.total, status.completed], ['completed', 11, 11]);
    assert.equal(problems.errors.length, 10);
  });
});
