// Sections 2.5, 2.6, 2.8 and 2.9: how each result is scraped.
import { type Rule, text } from './rule.ts';

const boolean = (field: string, value: boolean): Rule => ({
  field: `scrapeOptions.${field}`,
  schema: { type: 'boolean', default: value },
  accepts: [true, false],
  refuses: ['yes', 1],
});

const names = (field: string): Rule => ({
  field: `scrapeOptions.${field}`,
  schema: { type: 'array', items: { type: 'string' } },
  accepts: [[], ['main', '.price']],
  refuses: ['main', [1]],
});

const DAY_MS = 86_400_000;

export const SCRAPE_OPTIONS: Rule[] = [
  { field: 'scrapeOptions.formats', schema: { type: 'array' }, accepts: [[]], refuses: ['markdown', [{}], ['pdf']] },
  boolean('onlyMainContent', true),
  boolean('onlyCleanContent', false),
  names('includeTags'),
  names('excludeTags'),
  {
    field: 'scrapeOptions.headers',
    schema: { type: 'object' },
    accepts: [{}, { Cookie: 'a=b', 'User-Agent': 'x' }],
    refuses: ['Cookie: a=b', { 'a b': 'c' }],
  },
  {
    field: 'scrapeOptions.waitFor',
    schema: { type: 'integer', minimum: 0, default: 0 },
    accepts: [0, 30_000],
    refuses: [-1, 0.5, '1'],
  },
  {
    field: 'scrapeOptions.timeout',
    schema: { type: 'integer', minimum: 1_000, maximum: 300_000, default: 60_000 },
    accepts: [1_000, 300_000],
    refuses: [999, 300_001, '5000'],
  },
  boolean('mobile', false),
  boolean('blockAds', true),
  boolean('removeBase64Images', true),
  boolean('skipTlsVerification', true),
  {
    field: 'scrapeOptions.proxy',
    schema: { type: 'string', default: 'auto' },
    accepts: ['basic', 'enhanced', 'auto'],
    refuses: ['none', true],
  },
  {
    field: 'scrapeOptions.maxAge',
    schema: { type: 'integer', minimum: 0, default: 2 * DAY_MS },
    accepts: [0, 2 * DAY_MS],
    refuses: [-1, '1'],
  },
  { field: 'scrapeOptions.minAge', schema: { type: 'integer', minimum: 0 }, accepts: [1, DAY_MS], refuses: [-1, '1'] },
  boolean('storeInCache', true),
  boolean('lockdown', false),
  {
    field: 'scrapeOptions.location.country',
    schema: { type: 'string', default: 'US' },
    accepts: ['US', 'DE'],
    refuses: ['USA', 'ZZ', 1],
  },
  {
    field: 'scrapeOptions.location.languages',
    schema: { type: 'array' },
    accepts: [['de', 'en-US'], []],
    refuses: ['de', ['not a tag']],
  },
  {
    field: 'scrapeOptions.parsers',
    schema: { type: 'array', default: ['pdf'] },
    accepts: [
      [],
      [{ type: 'pdf' }],
      [{ type: 'pdf', maxPages: 1, mode: 'fast' }],
      [{ type: 'pdf', maxPages: 10_000, mode: 'auto' }],
      [{ type: 'pdf', mode: 'ocr' }],
    ],
    refuses: [
      'pdf',
      [{}],
      [{ type: 'pdf', maxPages: 0 }],
      [{ type: 'pdf', maxPages: 10_001 }],
      [{ type: 'pdf', mode: 'slow' }],
    ],
  },
  {
    field: 'scrapeOptions.profile',
    schema: { type: 'object', required: ['name'] },
    accepts: [{ name: 'a' }, { name: text(128), saveChanges: false }],
    refuses: [{}, { name: '' }, { name: text(129) }, { name: 'a', saveChanges: 'no' }],
  },
  {
    field: 'scrapeOptions.redactPII',
    accepts: [
      true,
      false,
      {},
      ...['accurate', 'aggressive', 'fast'].map((mode) => ({ mode })),
      ...['tag', 'mask', 'remove'].map((replaceStyle) => ({ replaceStyle })),
      { entities: ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] },
    ],
    refuses: ['yes', { mode: 'slow' }, { replaceStyle: 'blur' }, { entities: ['PET'] }, { unknown: 1 }],
  },
  {
    field: 'scrapeOptions.actions',
    schema: { type: 'array' },
    accepts: [[]],
    refuses: ['click', [{}], [{ type: 'fly' }]],
  },
];

const format = (accepted: unknown[], refused: unknown[] = []): Rule => ({
  field: 'scrapeOptions.formats',
  accepts: accepted.map((entry) => [entry]),
  refuses: refused.map((entry) => [entry]),
});

const VIEWPORT = { width: 800, height: 600 };

/** Without a scrape of its own, `markdown` stands beside those that need it. */
export const FORMATS: Rule[] = [
  ...['markdown', 'summary', 'html', 'rawHtml', 'links', 'images', 'branding', 'product', 'menu', 'audio', 'video'].map(
    (type) => format([type, { type }]),
  ),
  format(
    [
      'screenshot',
      { type: 'screenshot', fullPage: true, quality: 1, viewport: VIEWPORT },
      { type: 'screenshot', quality: 100 },
    ],
    [
      { type: 'screenshot', fullPage: 'yes' },
      { type: 'screenshot', quality: 0 },
      { type: 'screenshot', quality: 101 },
      { type: 'screenshot', viewport: { width: 800 } },
      { type: 'screenshot', viewport: { width: 800, height: 0.5 } },
    ],
  ),
  format(
    ['json', { type: 'json' }, { type: 'json', prompt: 'Prices', schema: { type: 'object' } }],
    [
      { type: 'json', prompt: 1 },
      { type: 'json', schema: 'object' },
    ],
  ),
  {
    field: 'scrapeOptions.formats',
    accepts: [
      ['markdown', 'changeTracking'],
      ['markdown', { type: 'changeTracking', modes: ['git-diff', 'json'], prompt: 'p', schema: {}, tag: 'hourly' }],
      ['markdown', { type: 'changeTracking', tag: null }],
    ],
    refuses: [['markdown', { type: 'changeTracking', modes: ['svn'] }]],
  },
  format(
    [{ type: 'question', question: text(10_000) }],
    ['question', { type: 'question' }, { type: 'question', question: text(10_001) }],
  ),
  format(
    [{ type: 'highlights', query: text(10_000) }],
    ['highlights', { type: 'highlights' }, { type: 'highlights', query: text(10_001) }],
  ),
];

const action = (accepted: object[], refused: object[] = []): Rule => ({
  field: 'scrapeOptions.actions',
  accepts: accepted.map((entry) => [entry]),
  refuses: refused.map((entry) => [entry]),
});

export const ACTIONS: Rule[] = [
  action(
    [
      { type: 'wait', milliseconds: 1 },
      { type: 'wait', selector: '#main' },
    ],
    [
      { type: 'wait' },
      { type: 'wait', milliseconds: 0 },
      { type: 'wait', milliseconds: 1, selector: '#main' },
      { type: 'wait', milliseconds: 1, unknown: true },
    ],
  ),
  action(
    [{ type: 'screenshot' }, { type: 'screenshot', fullPage: true, quality: 100, viewport: VIEWPORT }],
    [
      { type: 'screenshot', quality: 101 },
      { type: 'screenshot', viewport: { height: 600 } },
    ],
  ),
  action(
    [
      { type: 'click', selector: 'a' },
      { type: 'click', selector: 'a', all: true },
    ],
    [{ type: 'click' }, { type: 'click', selector: 'a', all: 'yes' }],
  ),
  action([{ type: 'write', text: 'hello' }], [{ type: 'write' }, { type: 'write', text: 1 }]),
  action([{ type: 'press', key: 'Enter' }], [{ type: 'press' }]),
  action(
    [{ type: 'scroll' }, { type: 'scroll', direction: 'up', selector: '#list' }],
    [{ type: 'scroll', direction: 'left' }],
  ),
  action([{ type: 'scrape' }]),
  action([{ type: 'executeJavascript', script: 'document.title' }], [{ type: 'executeJavascript' }]),
  action(
    [
      { type: 'pdf' },
      ...['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'].map((format) => ({
        type: 'pdf',
        format,
        landscape: true,
        scale: 1,
      })),
    ],
    [
      { type: 'pdf', format: 'B5' },
      { type: 'pdf', scale: 'large' },
    ],
  ),
];
