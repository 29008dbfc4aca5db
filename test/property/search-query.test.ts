// The query language with texts that nobody would type: each parses to a tree that can be written back and matched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import type { Clause, Conditions, Query } from '../../src/contracts/search/search-query.ts';
import { createMatch } from '../../src/search/match/match.ts';
import type { ResultCandidate } from '../../src/search/match/visible-result.ts';
import type { Capabilities } from '../../src/search/providers/provider.ts';
import { parseQuery } from '../../src/search/query/query.ts';
import { readTbs } from '../../src/search/query/tbs.ts';
import { type Dialect, writeQuery } from '../../src/search/query/write-query.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_115);
const RUNS = { seed: SEED, numRuns: amount({ short: 400, full: 1_000, long: 60_000 }) };

const KINDS: Clause['kind'][] = [
  ...(['word', 'phrase', 'site', 'filetype', 'inurl', 'allinurl', 'intitle', 'allintitle', 'related'] as const),
  ...(['imagesize', 'larger'] as const),
];
const FULL: Dialect = { clauses: KINDS, domains: 'operators' };
const NO_CONDITIONS: Conditions = {
  sortByDate: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
  country: 'US',
  language: 'en',
};
const STRANGER: Capabilities = { clauses: [], time: 'none', domains: false, maxCount: 10, maxPages: 1 };

/** Every token with a meaning, joined in any order with meaningless ones. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'site:',
      'SITE：',
      'filetype:',
      'ext:',
      'inurl:',
      'allinurl:',
      'intitle:',
      'allintitle:',
      'related:',
      'imagesize:',
    ],
    ...[
      'larger:',
      'unknown:',
      '-',
      '--',
      '+',
      '−',
      '"',
      '“',
      '”',
      '«',
      '(',
      ')',
      '|',
      ' ',
      ' ',
      ' ',
      '　',
      '\u0000',
      '\u200e',
    ],
    ...[
      'OR',
      'AND',
      ' OR ',
      ' AND ',
      'or',
      '*',
      '*.',
      '.',
      '/',
      '/*',
      '\\',
      '?',
      '#',
      '@',
      '%',
      '%41',
      '[',
      ']',
      ':',
      '：',
    ],
    ...[
      'example.com',
      'www.',
      'bücher.de',
      'https://',
      '10.0.0.1',
      '5',
      '800x600',
      '８×６',
      'pdf',
      '.PDF',
      'a',
      'tea',
      '東京',
    ],
    ...['\ud800', '\udc00', '😀', '&', '…', 'xn--', 'ﬁ', '´', '½'],
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const typed = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

const dialect: fc.Arbitrary<Dialect> = fc.record(
  {
    clauses: fc.subarray(KINDS),
    negated: fc.subarray(KINDS),
    or: fc.constantFrom('grouped', 'bare', 'none'),
    domains: fc.constantFrom('operators', 'none'),
    maxLength: fc.nat(80),
    maxWords: fc.nat(12),
  },
  { requiredKeys: ['clauses', 'domains'] },
);

const candidate: fc.Arbitrary<ResultCandidate> = fc.record(
  {
    url: fc.oneof(
      fc.constantFrom('https://example.com/tea/a.pdf', 'http://10.0.0.1/', 'https://xn--bcher-kva.de/%zz', 'ftp://a/'),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string(),
    ),
    title: fc.oneof(typed, fc.constantFrom('Tea …', 'tea')),
    description: typed,
    date: fc.integer(),
    imageUrl: fc.string(),
    imageWidth: fc.nat(),
    imageHeight: fc.nat(),
    fileType: fc.constantFrom('pdf', 'html', ''),
    text: typed,
  },
  { requiredKeys: ['url', 'title', 'description'] },
);

const sizeOf = ({ clauses }: Query): number => JSON.stringify(clauses).length;

test('every text parses to a tree of bounded size with well-formed strings', () =>
  fc.assert(
    fc.property(typed, (text) => {
      const query = parseQuery(text);
      assert.ok(sizeOf(query) <= 200 * (text.length + 1));
      assert.ok(JSON.stringify(query.clauses).isWellFormed() && query.text.isWellFormed());
      for (const clause of query.clauses) {
        if ('text' in clause) assert.match(clause.text, /^[^"\u0000-\u001f]+$/u);
        if ('words' in clause)
          assert.ok(clause.words.length > 0 && clause.words.every((word) => /^[^\s"]+$/.test(word)));
        if ('host' in clause) assert.match(clause.host, /^(?!www\.[^.]+\.)[^\s/?#@*A-Z]+[^.]$|^[^.]$/);
      }
    }),
    RUNS,
  ));

test('a tree that is written and parsed again is the same tree', () =>
  fc.assert(
    fc.property(typed, (text) => {
      const { clauses } = parseQuery(text);
      const written = writeQuery({ text, clauses }, FULL);
      assert.deepEqual(parseQuery(written).clauses, clauses, written);
    }),
    RUNS,
  ));

test('a query written for a dialect respects its length and uses only clauses that the dialect knows', () =>
  fc.assert(
    fc.property(typed, dialect, (text, known) => {
      const conditions = {
        includeDomains: ['a.com', 'b.com'],
        excludeDomains: ['c.com'],
        categories: ['pdf'] as const,
      };
      const written = writeQuery(parseQuery(text), known, conditions);
      assert.ok(written.length <= (known.maxLength ?? Number.POSITIVE_INFINITY));
      assert.ok(written === '' || written.split(' ').length <= (known.maxWords ?? Number.POSITIVE_INFINITY));
      for (const { kind, negated } of parseQuery(written).clauses) {
        const allowed = negated ? (known.negated ?? known.clauses) : known.clauses;
        assert.ok(allowed.includes(kind) || (kind === 'word' && !negated), `${kind} in ${written}`);
      }
    }),
    RUNS,
  ));

test('any result can be matched against any query, and a rejection has a reason', () =>
  fc.assert(
    fc.property(typed, candidate, fc.constantFrom('web', 'news', 'images'), (text, result, source) => {
      const match = createMatch(parseQuery(text), NO_CONDITIONS, { source });
      for (const trust of [STRANGER, 'index'] as const) assert.notEqual(match(result, trust), '');
    }),
    RUNS,
  ));

test('a result matches either a clause or its negation, never both', () =>
  fc.assert(
    fc.property(typed, candidate, (text, result) => {
      const matches = (clause: Clause) =>
        createMatch({ text: '', clauses: [clause] }, NO_CONDITIONS, { source: 'web' })(result, STRANGER) === undefined;
      const isResult =
        createMatch({ text: '', clauses: [] }, NO_CONDITIONS, { source: 'web' })(result, STRANGER) === undefined;
      for (const clause of parseQuery(text).clauses) {
        // Words only rank, and sizes apply to images only.
        if (!isResult || ['word', 'imagesize', 'larger'].includes(clause.kind)) continue;
        assert.notEqual(matches(clause), matches({ ...clause, negated: !clause.negated }), JSON.stringify(clause));
      }
    }),
    RUNS,
  ));

// A step that is not linear would make this test run forever.
test('long texts are parsed, written and matched', () => {
  const length = amount({ short: 10_000, full: 100_000 });
  const patterns = [
    ...[
      'a',
      ' ',
      '"',
      '(',
      ')',
      '-',
      '|',
      ':',
      '*',
      '.',
      'a ',
      '"a" ',
      '-a ',
      'a"',
      'site:a ',
      'site:a.',
      '()',
      '/',
      '%',
    ],
    ...['allintitle:a ', '"a" OR ', '((a))', 'inurl:a*', 'larger:1x', '東', '\u0301', '\ud800'],
  ];
  for (const pattern of patterns) {
    const long = pattern.repeat(length / pattern.length);
    for (const around of ['', 'site:', 'allintitle:', '"', 'a']) {
      const query = parseQuery(around + long + around);
      assert.ok(writeQuery(query, { ...FULL, maxLength: 500 }).length <= 500);
      assert.ok(writeQuery(query, { clauses: [], domains: 'none' }).length <= 2 * length);
      assert.ok(sizeOf(query) <= 100 * length);
    }
    const match = createMatch(parseQuery('inurl:aaaa "a a b" -aab intitle:b'), NO_CONDITIONS, { source: 'web' });
    assert.notEqual(match({ url: `https://a.com/${long}`, title: long, description: long }, STRANGER), undefined);
  }
});

test('a time filter is read, or refused with a clear error', () => {
  const token = fc.oneof(
    fc.constantFrom(
      'qdr:d',
      'qdr:h6',
      'QDR:y',
      'cdr:1',
      'cd_min:1/2/2026',
      'cd_max:2/30/2026',
      'cd_max:12/31/2026',
      'sbd:1',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 4 }), fc.nat(), (tokens, now) => {
      try {
        const { time } = readTbs(tokens.join(','), now);
        if (time?.from !== undefined && time.until !== undefined) assert.ok(time.from < time.until);
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.status === 400 && error.message.length < 700, String(error));
      }
    }),
    RUNS,
  );
});
