// The public command line as its users type it, with only the service address changed.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { useFirecrawlCli } from '../support/search/firecrawl-cli.ts';
import { hostPaths } from '../support/search/search.ts';

const { scene, run, text, json, hostPathsIn } = useFirecrawlCli();

describe('firecrawl search', () => {
  test('prints title, address and passage of each result', async () => {
    const output = await text('search', 'brass kettle site:north.test');
    assert.equal(
      output.trimEnd(),
      [
        'The brass kettle book',
        `  URL: ${scene.web.url('north.test', '/kettles')}`,
        '  All about brass kettle: brass kettle here, brass kettle there.',
      ].join('\n'),
    );
  });

  test('prints the whole answer as JSON, with id and credits', async () => {
    const found = await json('search', 'brass kettle');
    assert.equal(found.success, true);
    assert.equal(found.creditsUsed, 2);
    assert.ok(found.id);
    assert.equal(found.data.web![0]!.title, 'The brass kettle book');
    assert.deepEqual(hostPaths(found.data.web).sort(), [
      'north.test/kettles',
      'shop.south.test/kettles/used',
      'south.test/kettles',
    ]);
  });

  test('shows web, images and news under their own headings', async () => {
    const output = await text('search', 'ferry strike', '--sources', 'web,images,news');
    const [before, web, images, news] = output.split(/^=== .+ ===$/m);
    assert.deepEqual(
      [...output.matchAll(/^=== (.+) ===$/gm)].map(([, title]) => title),
      ['Web Results', 'Image Results', 'News Results'],
    );
    assert.equal(before, '');
    assert.ok(hostPathsIn(web!).includes('magazine.test/essay'));
    assert.match(images!, /Image URL: http:\/\/paper\.test:\d+\/images\/ferry\.jpg/);
    assert.deepEqual(hostPathsIn(news!).sort(), ['paper.test/new', 'paper.test/old']);
    assert.match(news!, /Date: \d{4}-\d\d-\d\dT/);
  });

  test('returns the scraped pages', async () => {
    const output = await text('search', 'brass kettle site:north.test', '--scrape');
    assert.match(
      output,
      /--- Content ---\n {2}# The brass kettle book\n[\s\S]+Once more: brass kettle[\s\S]+--- End Content ---/,
    );

    const { data, creditsUsed } = await json(
      'search',
      'herbal site:shelf.test',
      '--scrape',
      '--scrape-formats',
      'links,html',
    );
    const shelf = data.web!.find(({ title }) => title === 'The shelf')!;
    assert.deepEqual(shelf.links, [scene.web.url('shelf.test', '/herbal')]);
    assert.match(shelf.html!, /<h1>The shelf<\/h1>/);
    assert.equal(shelf.markdown, undefined);
    assert.equal(shelf.metadata?.statusCode, 200);
    assert.equal(creditsUsed, 4);
  });

  test('fails when the service refuses', async () => {
    const refused = await run(['search', 'glacier', '--tbs', 'qdr:fortnight']);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /400/);
    const stranger = await run(['search', 'glacier'], { FIRECRAWL_API_KEY: 'fc-somebody-else' });
    assert.equal(stranger.code, 1);
    assert.match(stranger.stderr, /401|Unauthorized/);
  });
});

describe('firecrawl feedback', () => {
  test('rates a search once', async () => {
    const { id, data } = await json('search', 'brass kettle');
    const rate = ['search-feedback', id, '--rating', 'good', '--valuable-sources', data.web![0]!.url];
    assert.match(await text(...rate), /^Feedback recorded\.\nFeedback ID: \S+\nCredits refunded: 0\n/);
    assert.match(await text(...rate), /^Feedback already submitted/);
  });
});

describe('the other commands', { concurrency: true }, () => {
  test('firecrawl scrape prints Markdown', async () => {
    const output = await text('scrape', scene.web.url('shelf.test', '/herbal'));
    assert.match(output, /^# The herbal\n\nLovage is in the herbal/);
  });

  fullTest('firecrawl map lists addresses', async () => {
    const output = await text('map', scene.web.url('shelf.test'));
    assert.deepEqual(
      hostPaths(
        output
          .trim()
          .split('\n')
          .map((url) => ({ url })),
      ).sort(),
      ['shelf.test/', 'shelf.test/herbal'],
    );
  });

  fullTest('firecrawl crawl waits for all pages', async () => {
    const output = await text('crawl', scene.web.url('shelf.test'), '--wait', '--poll-interval', '1');
    const { status, data } = JSON.parse(output) as { status: string; data: { markdown: string }[] };
    assert.equal(status, 'completed');
    assert.deepEqual(data.map(({ markdown }) => markdown.split('\n')[0]).sort(), ['# The herbal', '# The shelf']);
  });
});
