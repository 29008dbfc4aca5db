// Index searches compared with a plain scan of the same pages, after any order of changes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Clause, Query } from '../../src/contracts/search/search-query.ts';
import { createIndex, type Index } from '../../src/index/create-index.ts';
import { openIndexFile, removeIndexFile } from '../../src/index/index-file.ts';
import type { PageIndex } from '../../src/index/page-index.ts';
import { NO_OPENSEARCH, openOpenSearch } from '../conformance/open-opensearch.ts';
import {
  type Asking,
  changeOf,
  DAY,
  entryOf,
  NOW,
  queryOf,
  type SamplePage,
  searchOf,
} from '../conformance/page-index-samples.ts';
import { amount, seedOr } from '../support/runs.ts';

// Stemming changes none of these, and none is a stop word.
const WORDS = ['alpha', 'bravo', 'delta', 'gamma', 'kilo', 'lima', 'oscar', 'tango'];
const HOSTS = ['one.example', 'two.example', 'sub.one.example', 'notone.example'];
const TYPES = ['html', 'pdf', 'txt'];
const MAX_PAGES = 12;
const ALL = 100;

const folder = mkdtempSync(join(tmpdir(), 'trawl-index-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'index.db');

const failOn = (error: unknown) => {
  throw error;
};
const openAgain = (): Index => openIndexFile(file, (database) => createIndex(database, failOn));

interface Built {
  index: Pick<Index, 'close'> & Searches;
  pages: SamplePage[];
}
/** Answers at once, or later. */
type Searches = Pick<Index, 'web' | 'news' | 'images'> | Pick<PageIndex, 'web' | 'news' | 'images'>;

/** An index under test. `share` is how many of the runs it gets: those on OpenSearch take longer. */
interface Subject {
  name: string;
  share: number;
  build(steps: readonly (SamplePage | string)[], restartAt: number): Promise<Built>;
}

const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const address = fc
  .tuple(fc.constantFrom(...HOSTS), fc.array(word, { maxLength: 2 }))
  .map(([host, path]) => `https://${host}/${path.join('/')}`);
const page: fc.Arbitrary<SamplePage> = fc.record({
  url: address,
  title: text,
  headings: fc.constant(''),
  body: text,
  fileType: fc.constantFrom(...TYPES),
  isNews: fc.boolean(),
  publishedAt: fc.integer({ min: NOW - 5, max: NOW + 5 }),
});
const change = fc.oneof({ weight: 4, arbitrary: page }, { weight: 1, arbitrary: address });
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.record({ kind: fc.constant('word' as const), text: word, negated: fc.constant(true) }),
  fc.record({
    kind: fc.constant('phrase' as const),
    text: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    negated: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('site' as const),
    host: fc.constantFrom('one.example', 'sub.one.example', 'example'),
    path: fc.oneof(
      fc.constant(''),
      word.map((segment) => `/${segment}`),
    ),
    negated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('filetype' as const), extension: fc.constantFrom(...TYPES), negated: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom('inurl' as const, 'allinurl' as const, 'intitle' as const, 'allintitle' as const),
    words: fc.array(word, { minLength: 1, maxLength: 2 }),
    negated: fc.boolean(),
  }),
);
const asking: fc.Arbitrary<Asking> = fc.record(
  {
    includeDomains: fc.constantFrom([], ['one.example']),
    time: fc.record(
      { from: fc.integer({ min: NOW - 5, max: NOW + 5 }), until: fc.integer({ min: NOW - 5, max: NOW + 5 }) },
      { requiredKeys: [] },
    ),
    categories: fc.constantFrom([], ['pdf' as const]),
    sortByDate: fc.boolean(),
  },
  { requiredKeys: [] },
);

const holdsInOrder = (of: string, words: string) => ` ${of} `.includes(` ${words} `);
const wordsOfUrl = (url: string) => url.slice('https://'.length).split(/[./]/).join(' ');

function holds(asked: Clause, { url, title = '', body = '', fileType }: SamplePage): boolean {
  switch (asked.kind) {
    case 'word':
      return [title, body, wordsOfUrl(url)].some((of) => holdsInOrder(of, asked.text));
    case 'phrase':
      return [title, body].some((of) => holdsInOrder(of, asked.text));
    case 'site': {
      const { hostname, pathname } = new URL(url);
      const isHost = hostname === asked.host || hostname.endsWith(`.${asked.host}`);
      return isHost && (asked.path === '' || `${pathname}/`.startsWith(`${asked.path}/`));
    }
    case 'filetype':
      return fileType === asked.extension;
    case 'intitle':
      return holdsInOrder(title, asked.words.join(' '));
    case 'allintitle':
      return asked.words.every((one) => holdsInOrder(title, one));
    case 'inurl':
      return holdsInOrder(wordsOfUrl(url), asked.words.join(' '));
    case 'allinurl':
      return asked.words.every((one) => holdsInOrder(wordsOfUrl(url), one));
    default:
      throw new Error(`This test does not use ${asked.kind} clauses.`);
  }
}

function fits(page: SamplePage, { clauses }: Query, { includeDomains = [], time, categories = [] }: Asking): boolean {
  const either = ['site', 'filetype'];
  const groups = either.map((kind) => clauses.filter((one) => one.kind === kind && !one.negated));
  const others = clauses.filter((one) => one.negated || (!either.includes(one.kind) && one.kind !== 'word'));
  const date = page.publishedAt!;
  return (
    groups.every((group) => group.length === 0 || group.some((one) => holds(one, page))) &&
    others.every((one) => holds(one, page) !== one.negated) &&
    (includeDomains.length === 0 ||
      includeDomains.some((host) => holds({ kind: 'site', host, path: '', negated: false }, page))) &&
    (categories.length === 0 || page.fileType === 'pdf') &&
    // A date at midnight covers the whole day.
    (date % DAY === 0 ? date + DAY - 1 : date) >= (time?.from ?? date) &&
    date < (time?.until ?? date + 1)
  );
}

const pagesAfter = (steps: readonly (SamplePage | string)[]): SamplePage[] => {
  const pages = new Map<string, SamplePage>();
  for (const step of steps) {
    if (typeof step === 'string') pages.delete(step);
    else pages.set(step.url, entryOf(step));
  }
  return [...pages.values()];
};

const buildEmbedded: Subject['build'] = async (steps, restartAt) => {
  removeIndexFile(file);
  let index = openAgain();
  for (const [i, step] of steps.entries()) {
    await index.apply([changeOf(step, i + 1)]);
    if (i === restartAt) {
      await index.close();
      index = openAgain();
    }
  }
  return { index, pages: pagesAfter(steps) };
};

const subjects: Subject[] = [{ name: 'embedded', share: 1, build: buildEmbedded }];
if (!NO_OPENSEARCH) {
  const cluster = openOpenSearch();
  after(cluster.remove);
  subjects.push({
    name: 'opensearch',
    share: 0.2,
    async build(steps, restartAt) {
      await cluster.index.clear();
      const changes = steps.map((step, i) => changeOf(step, i + 1));
      await cluster.index.apply(changes.slice(0, restartAt + 1));
      const index = cluster.openAgain();
      await index.apply(changes);
      return { index: { ...index, close: async () => {} }, pages: pagesAfter(steps) };
    },
  });
}

for (const { name, share, build } of subjects) {
  describe(`searches of the ${name} index`, () => testSearches(share, build));
}

function testSearches(share: number, build: Subject['build']): void {
  test('a search with conditions only finds exactly the matching pages', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: MAX_PAGES }),
        fc.nat(MAX_PAGES),
        fc.array(
          fc.tuple(
            fc.array(
              clause.filter(({ negated, kind }) => negated || kind === 'site' || kind === 'filetype'),
              { maxLength: 3 },
            ),
            asking,
            fc.boolean(),
          ),
          { minLength: 3, maxLength: 6 },
        ),
        async (steps, restartAt, questions) => {
          const { index, pages } = await build(steps, restartAt);
          for (const [clauses, conditions, isNews] of questions) {
            const query = queryOf(...clauses);
            const search = searchOf(query, { ...conditions, limit: ALL });
            const found = (await (isNews ? index.news(search) : index.web(search))).map(({ url }) => url);
            const expected = pages
              .filter((one) => (!isNews || one.isNews) && fits(one, query, conditions))
              .map(({ url }) => url);
            assert.deepEqual(found.sort(), expected.sort());
          }
          await index.close();
        },
      ),
      { numRuns: Math.ceil(share * amount({ short: 20, full: 40, long: 800 })), seed: seedOr(20310615) },
    );
  });

  test('a search with words finds only matching pages, including all with every word, in the requested order', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: MAX_PAGES }),
        fc.array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.array(clause, { maxLength: 2 }), asking), {
          minLength: 3,
          maxLength: 6,
        }),
        async (steps, questions) => {
          const { index, pages } = await build(steps, -1);
          for (const [words, clauses, conditions] of questions) {
            const query = queryOf(words.join(' '), ...clauses);
            const found = await index.web(searchOf(query, { ...conditions, limit: ALL }));
            const urls = found.map(({ url }) => url);
            const allFitting = pages.filter((one) => fits(one, query, conditions));
            const isSaid = (one: SamplePage, asked: string) =>
              holds({ kind: 'word', text: asked, negated: false }, one);
            const required = allFitting.filter((one) => words.every((asked) => isSaid(one, asked)));
            assert.equal(new Set(urls).size, urls.length);
            assert.ok(urls.every((url) => allFitting.some((one) => one.url === url)));
            assert.deepEqual(
              required.filter(({ url }) => !urls.includes(url)),
              [],
            );
            const dates = found.map(({ date }) => date);
            if (conditions.sortByDate)
              assert.deepEqual(
                dates,
                dates.toSorted((a, b) => b - a),
              );
          }
          await index.close();
        },
      ),
      { numRuns: Math.ceil(share * amount({ short: 20, full: 40, long: 800 })), seed: seedOr(20310616) },
    );
  });

  test('no query makes the index throw', { timeout: 120_000 }, async () => {
    const { index } = await build(
      [{ url: 'https://one.example/', title: 'alpha "bravo" * OR', body: 'delta; gamma: 北京 🦭' }],
      -1,
    );
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.stringMatching(/^["*():{}^+\-A-Z ]{0,20}$/),
    );
    const anyClause = fc.oneof(
      fc.record({ kind: fc.constantFrom('word' as const, 'phrase' as const), text: anyText, negated: fc.boolean() }),
      fc.record({ kind: fc.constant('site' as const), host: anyText, path: anyText, negated: fc.boolean() }),
      fc.record({ kind: fc.constant('filetype' as const), extension: anyText, negated: fc.boolean() }),
      fc.record({ kind: fc.constant('related' as const), host: anyText, negated: fc.boolean() }),
      fc.record({
        kind: fc.constantFrom('inurl' as const, 'allinurl' as const, 'intitle' as const, 'allintitle' as const),
        words: fc.array(anyText, { maxLength: 3 }),
        negated: fc.boolean(),
      }),
      fc.record({
        kind: fc.constantFrom('imagesize' as const, 'larger' as const),
        width: fc.double(),
        height: fc.nat(),
        negated: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyClause, { maxLength: 5 }), fc.boolean(), async (clauses, sortByDate) => {
        const search = searchOf({ text: '', clauses }, { sortByDate, highlights: true });
        for (const found of await Promise.all([index.web(search), index.news(search), index.images(search)]))
          assert.ok(Array.isArray(found));
      }),
      { numRuns: Math.ceil(share * amount({ short: 100, full: 500, long: 10_000 })), seed: seedOr(20310617) },
    );
    await index.close();
  });
}
