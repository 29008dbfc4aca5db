// Further options of the public command line, with only the service address changed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useFirecrawlCli } from '../support/search/firecrawl-cli.ts';
import { hostPaths } from '../support/search/search.ts';

const { run, text, json, hostPathsIn } = useFirecrawlCli();

describe('firecrawl search', () => {
  test('prints as many results as requested', async () => {
    assert.deepEqual(hostPathsIn(await text('search', 'brass kettle', '--limit', '1')), ['north.test/kettles']);
    assert.equal(hostPathsIn(await text('search', 'brass kettle', '--limit', '2')).length, 2);
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

  test('says when nothing was found', async () => {
    assert.equal(await text('search', 'xyzzyplugh'), 'No results found.\n');
  });
});

describe('firecrawl feedback', () => {
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
