// Which results are kept, and why others are dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conditions, Source } from '../../../../src/contracts/search/search-query.ts';
import { createMatch, type Trust } from '../../../../src/search/match/match.ts';
import type { ResultCandidate } from '../../../../src/search/match/visible-result.ts';
import type { Capabilities } from '../../../../src/search/providers/provider.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';

const NO_CONDITIONS: Conditions = {
  sortByDate: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  country: 'US',
  language: 'en',
};
const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 15, 12);

const provider = (capabilities: Partial<Capabilities> = {}): Capabilities => ({
  clauses: [],
  time: 'none',
  domains: false,
  maxCount: 10,
  maxPages: 1,
  ...capabilities,
});

interface Case {
  query?: string;
  conditions?: Partial<Conditions>;
  source?: Source;
  trust?: Trust;
}

function judge(
  candidate: Partial<ResultCandidate>,
  { query = '', conditions, source = 'web', trust = provider() }: Case,
) {
  const match = createMatch(parseQuery(query), { ...NO_CONDITIONS, ...conditions }, { source });
  return match({ url: 'https://example.com/', title: '', description: '', ...candidate }, trust);
}

/** Kept by the query and dropped by its negation, or the other way round. */
function assertFits(query: string, candidate: Partial<ResultCandidate>, expected: boolean): void {
  const label = `${query} on ${JSON.stringify(candidate)}`;
  assert.equal(judge(candidate, { query }) === undefined, expected, label);
  assert.equal(judge(candidate, { query: `-${query}` }) === undefined, !expected, `-${label}`);
}

test('only http and https URLs are results', () => {
  for (const url of ['ftp://example.com/', 'javascript:alert(1)', 'example.com', '', 'https://', 'data:text/html,x']) {
    assert.equal(judge({ url }, {}), 'its address is not an http or https URL', url);
  }
  assert.equal(judge({ url: 'http://example.com/x' }, { trust: 'index' }), undefined);
});

test('an image result needs an image URL', () => {
  assert.match(judge({}, { source: 'images' })!, /image/);
  assert.match(judge({ imageUrl: 'data:image/png;base64,AA' }, { source: 'images' })!, /image/);
  assert.equal(judge({ imageUrl: 'https://example.com/a.png' }, { source: 'images' }), undefined);
});

test('a site is its host and all subdomains', () => {
  for (const [url, expected] of Object.entries({
    'https://example.com/': true,
    'http://www.Example.com:8080/a': true,
    'https://docs.example.com./a': true,
    'https://notexample.com/': false,
    'https://example.com.evil.test/': false,
    'https://evil.test/example.com': false,
  })) {
    assertFits('site:example.com', { url }, expected);
  }
  assertFits('site:gov', { url: 'https://nasa.gov/' }, true);
  assertFits('site:bücher.example', { url: 'https://xn--bcher-kva.example/' }, true);
});

test('a path of a site matches whole segments', () => {
  for (const [url, expected] of Object.entries({
    'https://example.com/docs': true,
    'https://example.com/docs/a?b': true,
    'https://example.com/Docs/a': true,
    'https://example.com/docs-old': false,
    'https://example.com/': false,
    'https://example.com/en/docs': false,
  })) {
    assertFits('site:example.com/docs/', { url }, expected);
  }
  assertFits('site:example.com/größe', { url: 'https://example.com/gr%c3%b6%C3%9Fe/x' }, true);
});

test('one of several sites is enough, and an excluded subdomain is dropped', () => {
  const query = 'site:a.com site:b.com -site:x.b.com';
  assert.equal(judge({ url: 'https://b.com/' }, { query }), undefined);
  assert.equal(judge({ url: 'https://x.b.com/' }, { query }), 'on site x.b.com');
  assert.equal(judge({ url: 'https://c.com/' }, { query }), 'not on site a.com or b.com');
});

test('the file type follows the extension of the path, or a known type', () => {
  assertFits('filetype:pdf', { url: 'https://example.com/a.PDF?x=1#y' }, true);
  assertFits('filetype:pdf', { url: 'https://example.com/download', fileType: 'pdf' }, true);
  assertFits('filetype:pdf', { url: 'https://example.com/a.html' }, false);
  assertFits('filetype:pdf', { url: 'https://example.com/?file=a.pdf' }, false);
  assert.equal(judge({ url: 'https://example.com/a.doc' }, { query: 'filetype:pdf filetype:doc' }), undefined);
});

test('where a URL shows no type, a provider that supports filetype is trusted', () => {
  const trust = provider({ clauses: ['filetype'] });
  for (const path of ['pdf/2301.00001', 'get.php?id=3', 'paper']) {
    assert.equal(judge({ url: `https://example.com/${path}` }, { query: 'filetype:pdf', trust }), undefined, path);
  }
  const page = { url: 'https://example.com/a.html' };
  assert.equal(judge(page, { query: 'filetype:pdf', trust }), 'not of file type pdf');
});

test('the file type of an image result is that of the picture', () => {
  const picture = { url: 'https://example.com/page', imageUrl: 'https://example.com/a.png' };
  assert.equal(judge(picture, { query: 'filetype:png', source: 'images' }), undefined);
  assert.notEqual(judge(picture, { query: 'filetype:jpg', source: 'images' }), undefined);
  assert.notEqual(judge(picture, { query: 'filetype:png', source: 'news' }), undefined);
});

test('words in the URL match at word starts', () => {
  const url = 'https://www.example.com/User_Guide/k%C3%B6ln-2026/foobar?q=tea+pot';
  for (const [query, expected] of Object.entries({
    'inurl:guide': true,
    'inurl:köln': true,
    'inurl:foo': true,
    'inurl:bar': false,
    'inurl:"user guide"': true,
    'inurl:"guide user"': false,
    'inurl:/user_guide/': true,
    'inurl:"tea pot"': true,
    'allinurl:example foobar': true,
    'allinurl:example missing': false,
  })) {
    assertFits(query, { url }, expected);
  }
  assertFits('inurl:bücher', { url: 'https://xn--bcher-kva.example/' }, true);
  assertFits('inurl:x', { url: 'https://example.com/%zz/x' }, true);
});

test('words in the title match whole words', () => {
  const title = 'The Art of Tea-Making: A Guide';
  for (const [query, expected] of Object.entries({
    'intitle:TEA': true,
    'intitle:te': false,
    'intitle:"tea making"': true,
    'intitle:"making tea"': false,
    'allintitle:guide tea': true,
    'allintitle:guide coffee': false,
  })) {
    assertFits(query, { title }, expected);
  }
});

test('for a truncated title, a provider that supports intitle is trusted', () => {
  const query = 'intitle:coffee';
  const allQuery = 'allintitle:coffee tea';
  const trust = provider({ clauses: ['intitle'] });
  for (const title of ['The art of tea …', 'The art of tea ...']) {
    assert.equal(judge({ title }, { query, trust }), undefined);
    assert.equal(judge({ title }, { query: allQuery, trust }), undefined);
    assert.equal(judge({ title }, { query }), '"coffee" is not in its title');
  }
  assert.equal(judge({ title: 'The art of tea' }, { query, trust }), '"coffee" is not in its title');
});

test('a phrase must be visible, unless the provider supports phrases', () => {
  const query = '"green tea"';
  assert.equal(judge({ title: 'Green tea' }, { query }), undefined);
  assert.equal(judge({ description: 'All about green, tea.' }, { query }), undefined);
  assert.equal(judge({ url: 'https://example.com/green-tea' }, { query }), undefined);
  assert.equal(judge({ title: 'Tea, green' }, { query }), 'is not seen to say "green tea"');
  assert.equal(judge({ title: 'Tea' }, { query, trust: provider({ clauses: ['phrase'] }) }), undefined);
});

test('when the whole text is known, it decides', () => {
  const trust = provider({ clauses: ['phrase'] });
  assert.equal(judge({ text: 'He drank green tea.' }, { query: '"green tea"' }), undefined);
  assert.notEqual(judge({ text: 'Tea is green.' }, { query: '"green tea"', trust }), undefined);
  assert.equal(judge({ text: 'He drank milk.' }, { query: 'tea -milk', trust }), 'says "milk"');
});

test('results that visibly contain excluded words or phrases are dropped', () => {
  for (const query of ['tea -milk', 'tea -"with milk"']) {
    assert.match(judge({ title: 'Tea with Milk' }, { query })!, /^says "/);
    assert.match(judge({ description: 'tea with milk, please' }, { query })!, /^says "/);
    assert.match(judge({ url: 'https://example.com/with-milk' }, { query })!, /^says "/);
    assert.equal(judge({ title: 'Tea with milkshakes' }, { query }), undefined);
  }
});

test('plain words drop nothing', () => assert.equal(judge({ title: 'Coffee' }, { query: 'tea' }), undefined));

test('image sizes match exactly, or larger in both dimensions; unknown sizes need a provider that supports them', () => {
  const sized = (imageWidth?: number, imageHeight?: number) => ({
    imageUrl: 'https://a.com/i',
    imageWidth,
    imageHeight,
  });
  const fits = (query: string, picture: Partial<ResultCandidate>, trust?: Trust) =>
    judge(picture, { query, source: 'images', trust }) === undefined;
  assert.ok(fits('imagesize:800x600', sized(800, 600)));
  assert.ok(!fits('imagesize:800x600', sized(600, 800)));
  assert.ok(!fits('-imagesize:800x600', sized(800, 600)));
  assert.ok(fits('larger:800x600', sized(801, 601)));
  assert.ok(!fits('larger:800x600', sized(900, 600)));
  assert.ok(!fits('larger:800x600', sized(900)));
  assert.ok(fits('larger:800x600', sized(), provider({ clauses: ['larger'] })));
  assert.equal(judge({}, { query: 'larger:800x600' }), undefined);
});

test('related: is left to the provider, and nothing is related to itself', () => {
  const query = 'related:example.com';
  const trust = provider({ clauses: ['related'] });
  assert.equal(judge({ url: 'https://other.com/' }, { query, trust }), undefined);
  assert.equal(judge({ url: 'https://other.com/' }, { query, trust: 'index' }), undefined);
  assert.notEqual(judge({ url: 'https://other.com/' }, { query }), undefined);
  assert.notEqual(judge({ url: 'https://www.example.com/' }, { query, trust }), undefined);
});

test('domains are included and excluded with their subdomains', () => {
  const included = { conditions: { includeDomains: ['a.com', 'b.com'] } };
  const excluded = { conditions: { excludeDomains: ['a.com'] } };
  assert.equal(judge({ url: 'https://www.b.com/' }, included), undefined);
  assert.equal(judge({ url: 'https://c.com/' }, included), 'not on one of includeDomains');
  assert.equal(judge({ url: 'https://x.a.com/' }, { ...excluded, trust: 'index' }), 'on one of excludeDomains');
  assert.equal(judge({ url: 'https://aa.com/' }, excluded), undefined);
  const twins = { conditions: { includeDomains: ['www.a.com'] } };
  for (const url of ['https://a.com/', 'https://www.a.com/']) assert.equal(judge({ url }, twins), undefined);
  assert.notEqual(judge({ url: 'https://x.a.com/' }, twins), undefined);
});

test('a result belongs to a category by its host, type or provider', () => {
  const asked = (...categories: Conditions['categories']) => ({ conditions: { categories } });
  assert.equal(judge({ url: 'https://gist.github.com/a' }, asked('github')), undefined);
  assert.equal(judge({ url: 'https://arxiv.org/abs/1' }, asked('github', 'research')), undefined);
  assert.equal(judge({ url: 'https://example.com/a.pdf' }, asked('pdf')), undefined);
  assert.equal(judge({ url: 'https://example.com/a', fileType: 'pdf' }, asked('pdf')), undefined);
  assert.equal(judge({ url: 'https://journal.example/1', category: 'research' }, asked('research')), undefined);
  assert.equal(judge({ url: 'https://example.com/' }, asked('github', 'pdf')), 'not of category github or pdf');
});

test('dated results are checked by their date', () => {
  const conditions = { time: { from: NOON - 7 * DAY, until: NOON } };
  assert.equal(judge({ date: NOON - DAY }, { conditions }), undefined);
  assert.equal(judge({ date: NOON - 7 * DAY }, { conditions }), undefined);
  for (const trust of [provider({ time: 'range' }), 'index'] as const) {
    for (const date of [NOON, NOON - 8 * DAY]) {
      assert.equal(judge({ date }, { conditions, trust }), 'its date is not in the time asked for');
    }
  }
});

test('a date without a time counts for the whole day, but not for the past hour', () => {
  const midnight = NOON - DAY / 2;
  assert.equal(
    judge({ date: midnight - DAY }, { conditions: { time: { from: NOON - DAY, preset: 'day' } } }),
    undefined,
  );
  const hour = { time: { from: NOON - DAY / 24, preset: 'hour' as const } };
  assert.notEqual(judge({ date: midnight }, { conditions: hour }), undefined);
});

test('undated results need a provider that supports that kind of time filter', () => {
  const preset = { time: { from: NOON - DAY, preset: 'day' as const } };
  const range = { time: { from: NOON - DAY } };
  const isKept = (conditions: Partial<Conditions>, trust: Trust) => judge({}, { conditions, trust }) === undefined;
  assert.ok(isKept(preset, provider({ time: 'presets' })) && isKept(preset, provider({ time: 'range' })));
  assert.ok(isKept(range, provider({ time: 'range' })) && isKept(range, 'index'));
  assert.ok(!isKept(range, provider({ time: 'presets' })));
  assert.equal(judge({}, { conditions: preset }), 'no date, and the provider does not filter by time');
});

test('the index is trusted about words, but not about what a URL shows', () => {
  const trust = 'index';
  assert.equal(judge({ title: 'Making tea' }, { query: 'intitle:makes "not seen" inurl:makes', trust }), undefined);
  assert.notEqual(judge({}, { query: 'site:other.com', trust }), undefined);
  assert.notEqual(
    judge({ url: 'https://example.com/a.html', fileType: 'html' }, { query: 'filetype:pdf', trust }),
    undefined,
  );
  assert.notEqual(judge({ title: 'Milk' }, { query: 'tea -milk', trust }), undefined);
});
