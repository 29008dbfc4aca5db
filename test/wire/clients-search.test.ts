// The public command line as its users type it, with only the service address changed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Found, hostPaths, useSearch } from '../support/search/search.ts';
import { searchCorpus } from '../support/search/search-corpus.ts';

const PROGRAM = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');
const LONGEST_MS = 60_000;

const site = [
  {
    at: 'shelf.test/',
    title: 'The shelf',
    text: 'A shelf of herbals.',
    html: '<p><a href="/herbal">The herbal</a></p>',
  },
  { at: 'shelf.test/herbal', title: 'The herbal', text: 'Lovage is in the herbal, and so is tansy.' },
];
const scene = useSearch({}, [...searchCorpus(Date.now()), ...site]);
const home = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
after(() => rmSync(home, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program with the service as its API, a home folder of its own, and no Internet access. */
function run(args: string[], more: Record<string, string> = {}): Promise<Ended> {
  const { PATH, TMPDIR } = process.env;
  const env = {
    PATH,
    TMPDIR,
    HOME: home,
    FIRECRAWL_API_URL: scene.service.url,
    FIRECRAWL_API_KEY: scene.service.key,
    FIRECRAWL_NO_TELEMETRY: '1',
    FIRECRAWL_NO_UPDATE_CHECK: '1',
    ...more,
  };
  return new Promise((resolve) => {
    const options = { env, cwd: home, timeout: LONGEST_MS, maxBuffer: 10_000_000 };
    const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Its output when it succeeds. */
async function text(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

const json = async <T = Found>(...args: string[]): Promise<T> => JSON.parse(await text(...args, '--json')) as T;

/** The addresses in its plain output, as `host/path`. */
const hostPathsIn = (output: string): string[] =>
  hostPaths([...output.matchAll(/^ {2}URL: (\S+)$/gm)].map(([, url]) => ({ url: url! })));

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

  test('prints as many results as requested', async () => {
    assert.deepEqual(hostPathsIn(await text('search', 'brass kettle', '--limit', '1')), ['north.test/kettles']);
    assert.equal(hostPathsIn(await text('search', 'brass kettle', '--limit', '2')).length, 2);
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

  test('shows the size of images', async () => {
    const output = await text('search', 'striped lighthouse imagesize:1920x1080', '--sources', 'images');
    assert.deepEqual(output.match(/Size: .*/g), ['Size: 1920x1080']);
  });

  test('filters by category and shows it', async () => {
    const output = await text('search', 'lexer parser', '--categories', 'github,research');
    assert.deepEqual(hostPathsIn(output).sort(), ['arxiv.org/abs/2601.00001', 'github.com/acme/parser']);
    assert.deepEqual(output.match(/Category: .*/g)?.sort(), ['Category: github', 'Category: research']);
  });

  test('gets results and a warning for an unknown category', async () => {
    const { data, warning } = await json('search', 'lexer parser', '--categories', 'developer');
    assert.ok(data.web!.length > 0);
    assert.match(warning!, /developer/);
  });

  test('filters by time', async () => {
    const { data } = await json('search', 'glacier moraine', '--tbs', 'qdr:d');
    assert.deepEqual(hostPaths(data.web).sort(), ['ice.test/day', 'ice.test/hour']);
  });

  test('prefers the pages of a country', async () => {
    const first = async (...more: string[]) =>
      hostPaths((await json('search', 'teacup', '--limit', '1', ...more)).data.web);
    assert.deepEqual(await first('--country', 'GB', '--location', 'England'), ['tea.co.uk/cups']);
    assert.deepEqual(await first('--country', 'US'), ['tea.test/']);
  });

  test('shows the description of the page instead of a passage', async () => {
    assert.match(
      await text('search', 'invar pendulum', '--no-highlights'),
      /^ {2}What the owner says about this page\.$/m,
    );
    assert.match(await text('search', 'invar pendulum'), /A pendulum of invar hardly changes its length/);
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

  test('says when nothing was found', async () => {
    assert.equal(await text('search', 'xyzzyplugh'), 'No results found.\n');
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

  test('also rates by the name of the operation', async () => {
    const { id } = await json('search', 'saffron broth');
    const rate = ['feedback', 'search', id, '--rating', 'partial', '--missing-content', 'prices: of ladles'];
    const { success, feedbackId } = await json<{ success: boolean; feedbackId: string }>(...rate);
    assert.equal(success, true);
    assert.ok(feedbackId);
  });

  test('fails for an unknown search', async () => {
    const rate = ['search-feedback', crypto.randomUUID(), '--rating', 'bad', '--query-suggestions', 'Shorter'];
    assert.equal((await run(rate)).code, 1);
  });
});

describe('the other commands', { concurrency: true }, () => {
  test('firecrawl scrape prints Markdown', async () => {
    const output = await text('scrape', scene.web.url('shelf.test', '/herbal'));
    assert.match(output, /^# The herbal\n\nLovage is in the herbal/);
  });

  test('firecrawl map lists addresses', async () => {
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

  test('firecrawl crawl waits for all pages', async () => {
    const output = await text('crawl', scene.web.url('shelf.test'), '--wait', '--poll-interval', '1');
    const { status, data } = JSON.parse(output) as { status: string; data: { markdown: string }[] };
    assert.equal(status, 'completed');
    assert.deepEqual(data.map(({ markdown }) => markdown.split('\n')[0]).sort(), ['# The herbal', '# The shelf']);
  });
});
