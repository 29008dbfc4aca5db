// Sections 2.1, 2.3 and 2.4: the body of a search.
import { many, type Rule, text } from './rule.ts';

const boolean = (value: boolean) => ({ type: 'boolean', default: value });

export const SEARCH_REQUEST: Rule[] = [
  {
    field: 'query',
    schema: { type: 'string', maxLength: 500 },
    accepts: ['!', `"${text(498)}"`, '😀'.repeat(500)],
    refuses: [undefined, text(501), 1, ['a']],
  },
  {
    field: 'limit',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    accepts: [1, 100],
    refuses: [0, 101, 1.5, '10'],
  },
  {
    field: 'sources',
    schema: { type: 'array', default: [{ type: 'web' }] },
    accepts: [
      [{ type: 'web' }, { type: 'images' }, { type: 'news' }],
      [{ type: 'web', location: 'Berlin,Germany', tbs: 'qdr:w' }],
      ['web', 'news', 'images'],
    ],
    refuses: ['web', [{}], [1]],
  },
  {
    field: 'categories',
    schema: { type: 'array', default: [] },
    accepts: [[], [{ type: 'github' }, { type: 'research' }, { type: 'pdf' }], ['github', 'research', 'pdf']],
    refuses: ['github', [{}]],
  },
  {
    field: 'country',
    schema: { type: 'string', default: 'US' },
    accepts: ['DE', 'us'],
    refuses: ['Germany', 'ZZ', 49],
  },
  {
    field: 'location',
    schema: { type: 'string' },
    accepts: ['San Francisco,California,United States', 'Germany'],
    refuses: [7, {}],
  },
  {
    field: 'tbs',
    schema: { type: 'string' },
    accepts: [
      ...['h', 'd', 'w', 'm', 'y'].map((unit) => `qdr:${unit}`),
      'cdr:1,cd_min:01/01/2025,cd_max:12/31/2025',
      'sbd:1',
      'sbd:1,qdr:w',
    ],
    refuses: [1, ['qdr:d']],
  },
  {
    field: 'includeDomains',
    schema: { type: 'array', items: { type: 'string' } },
    accepts: [['a.example', 'b.example']],
    refuses: [['https://a.example'], ['a.example/path'], 'a.example'],
  },
  {
    field: 'excludeDomains',
    schema: { type: 'array', items: { type: 'string' } },
    accepts: [['a.example', 'b.example']],
    refuses: [['https://a.example'], ['a.example/path'], 'a.example'],
  },
  {
    field: 'excludeDomains',
    beside: { includeDomains: ['b.example'] },
    accepts: [],
    refuses: [['a.example']],
  },
  { field: 'highlights', schema: boolean(true), accepts: [true, false], refuses: ['yes', 1] },
  { field: 'ignoreInvalidURLs', schema: boolean(false), accepts: [true, false], refuses: ['yes', 1] },
  { field: 'scrapeOptions', schema: { type: 'object', default: {} }, accepts: [{}], refuses: ['markdown', []] },
  {
    field: 'enterprise',
    schema: { type: 'array' },
    accepts: [['anon'], ['zdr']],
    refuses: ['zdr', ['none']],
  },
  {
    field: 'timeout',
    schema: { type: 'integer', default: 60_000 },
    accepts: [1_000, 60_000],
    refuses: ['1000', 1.5],
  },
];

/** Section 2.7, at the top level and in the scrape options. */
export const THREAT_PROTECTION: Rule[] = ['threatProtection', 'scrapeOptions.threatProtection'].flatMap((field) => [
  { field: `${field}.mode`, schema: { type: 'string' }, accepts: ['off', 'normal'], refuses: ['on', 1] },
  {
    field: `${field}.blacklist`,
    schema: { type: 'array', maxItems: 1000 },
    accepts: [['a.example', '*.b.example'], many(1000)],
    refuses: [many(1001), ['https://a.example'], ['a.example/x'], ['a.example:80']],
  },
  {
    field: `${field}.whitelist`,
    schema: { type: 'array', maxItems: 1000 },
    accepts: [['a.example', '*.b.example'], many(1000)],
    refuses: [many(1001), ['https://a.example'], ['a.example/x'], ['a.example:80']],
  },
  {
    field: `${field}.blockedTlds`,
    schema: { type: 'array', maxItems: 1000 },
    accepts: [['zip', 'xn--p1ai'], many(1000, 'zip')],
    refuses: [many(1001, 'zip'), ['.zip'], ['ZIP']],
  },
  {
    field: `${field}.failurePolicy`,
    schema: { type: 'string', enum: ['open', 'closed'] },
    accepts: ['open', 'closed'],
    refuses: ['ajar'],
  },
  {
    field: `${field}.riskScoreThreshold`,
    schema: { type: 'integer', minimum: 0, maximum: 100 },
    accepts: [0, 100],
    refuses: [-1, 101, 0.5],
  },
]);
