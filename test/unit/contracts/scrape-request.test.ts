// The scrape request: defaults, bounds and the rules that span several options.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { FORMAT_TYPES } from '../../../src/contracts/formats/formats.ts';
import { type ScrapeRequest, scrapeRequest } from '../../../src/contracts/scrape/scrape.ts';
import { validate } from '../../../src/contracts/validate/validate.ts';

const read = (body: unknown): ScrapeRequest => validate(scrapeRequest, body);
const url = 'https://example.com';

function problem(body: unknown): { message: string; paths: string[] } {
  try {
    read(body);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'BAD_REQUEST');
    const details = error.details as { path: string[] }[];
    return { message: error.message, paths: details.map(({ path }) => path.join('.')) };
  }
  return assert.fail(`accepted: ${JSON.stringify(body)}`);
}

test('a request with only a url gets the documented defaults', () => {
  const request = read({ url });
  assert.deepEqual(request.formats, [{ type: 'markdown' }]);
  assert.deepEqual(request.location, { country: 'US', languages: ['en-US'] });
  assert.deepEqual(request.parsers, [{ type: 'pdf', mode: 'auto' }]);
  const { onlyMainContent, timeout, mobile, blockAds, removeBase64Images, skipTlsVerification, proxy, storeInCache } =
    request;
  assert.deepEqual(
    { onlyMainContent, timeout, mobile, blockAds, removeBase64Images, skipTlsVerification, proxy, storeInCache },
    {
      onlyMainContent: true,
      timeout: 60_000,
      mobile: false,
      blockAds: true,
      removeBase64Images: true,
      skipTlsVerification: true,
      proxy: 'auto',
      storeInCache: true,
    },
  );
});

test('formats that take longer get more time than the default of many clients, and no other timeout is changed', () => {
  const timeoutOf = (options: object) => read({ url, ...options }).timeout;
  const changes = { formats: ['markdown', 'changeTracking'] };
  assert.equal(timeoutOf({ ...changes, timeout: 30_000, proxy: 'basic' }), 60_000);
  assert.equal(timeoutOf({ ...changes, timeout: 30_000 }), 120_000);
  assert.equal(timeoutOf({ formats: ['json'], timeout: 30_000, proxy: 'enhanced' }), 120_000);
  assert.equal(timeoutOf({ ...changes, timeout: 29_999 }), 29_999);
  assert.equal(timeoutOf({ formats: ['markdown'], timeout: 30_000 }), 30_000);
});

test('a waitFor has to fit into a timeout that the caller sets, and makes the default long enough', () => {
  const timeoutOf = (options: object) => read({ url, ...options }).timeout;
  assert.equal(timeoutOf({ waitFor: 30_000 }), 60_000);
  assert.equal(timeoutOf({ waitFor: 45_000 }), 90_000);
  assert.equal(timeoutOf({ waitFor: 60_000, timeout: 120_000 }), 120_000);
  assert.deepEqual(problem({ url, waitFor: 45_000, timeout: 60_000 }).paths, ['waitFor']);
});

test('null counts as absent at every depth, except inside a JSON schema', () => {
  const schema = { type: 'object', properties: { a: { default: null } } };
  const request = read({
    url,
    timeout: null,
    location: { country: null },
    formats: [{ type: 'json', prompt: null, schema }],
  });
  assert.equal(request.timeout, 60_000);
  assert.equal(request.location.country, 'US');
  assert.deepEqual(request.formats, [{ type: 'json', schema }]);
});

test('unknown keys are ignored', () => {
  assert.ok(!('futureKey' in read({ url, futureKey: 1, origin: 'js-sdk@9', integration: 'n8n' })));
});

test('formats may be strings or objects', () => {
  assert.deepEqual(read({ url, formats: ['html', { type: 'html' }] }).formats, [{ type: 'html' }, { type: 'html' }]);
});

test('headers and profiles make a request private and leave certificate verification as it is', () => {
  const request = read({ url, headers: { Cookie: 'a=1' } });
  assert.equal(request.storeInCache, false);
  assert.equal(request.skipTlsVerification, true);
  assert.equal(read({ url, headers: { a: 'b' }, skipTlsVerification: false }).skipTlsVerification, false);
  const { profile, skipTlsVerification, storeInCache } = read({ url, profile: { name: 'login' } });
  assert.deepEqual([profile?.saveChanges, skipTlsVerification, storeInCache], [true, true, false]);
});

test('stealth is an alias of enhanced', () => assert.equal(read({ url, proxy: 'stealth' }).proxy, 'enhanced'));

test('a country in any letter case sets its language', () => {
  assert.deepEqual(read({ url, location: { country: 'at' } }).location, { country: 'AT', languages: ['de-AT'] });
});

test('every format is accepted with its required fields', () => {
  const fields: Record<string, object> = {
    attributes: { selectors: [{ selector: 'a', attribute: 'href' }] },
    question: { question: 'Why?' },
    highlights: { query: 'why' },
    query: { prompt: 'why' },
  };
  for (const type of FORMAT_TYPES) {
    const formats = type === 'changeTracking' ? ['markdown', type] : [{ type, ...fields[type] }];
    assert.equal(read({ url, formats }).formats.at(-1)?.type, type);
  }
});

test('every action is accepted, including the old name of pdf', () => {
  const actions = [
    { type: 'wait', milliseconds: 5 },
    { type: 'wait', selector: '#a' },
    { type: 'screenshot', fullPage: true, quality: 80, viewport: { width: 10, height: 10 } },
    { type: 'click', selector: '#a' },
    { type: 'write', text: 'hello' },
    { type: 'press', key: 'Enter' },
    { type: 'scroll' },
    { type: 'scrape' },
    { type: 'executeJavascript', script: '1' },
    { type: 'pdf' },
    { type: 'generatePDF', landscape: true },
  ];
  const read_ = read({ url, actions }).actions;
  assert.equal(read_.length, actions.length);
  assert.deepEqual(read_.at(-1), { type: 'pdf', format: 'Letter', landscape: true, scale: 1 });
});

describe('invalid requests are refused with the path of the fault', () => {
  const cases: [name: string, body: object, path: string, message: RegExp][] = [
    ['no url', {}, 'url', /url/],
    ['a url that is not a string', { url: 5 }, 'url', /url/],
    ['an unknown format', { url, formats: ['foo'] }, 'formats.0', /'foo' is not a format. Formats are: markdown/],
    ['an unknown format object', { url, formats: [{ type: 'foo' }] }, 'formats.0.type', /markdown/],
    ['a format that needs fields, bare', { url, formats: ['question'] }, 'formats.0', /Write it as an object/],
    ['a format of the wrong type', { url, formats: [7] }, 'formats.0', /./],
    ['formats that are not a list', { url, formats: 'markdown' }, 'formats', /must be a list/],
    ['two screenshots', { url, formats: ['screenshot', 'screenshot'] }, 'formats', /one screenshot/],
    ['two of changeTracking', { url, formats: ['markdown', 'changeTracking', 'changeTracking'] }, 'formats', /one/],
    ['changeTracking without markdown', { url, formats: ['changeTracking'] }, 'formats', /markdown/],
    ['rawBase64 with others', { url, formats: ['rawBase64', 'html'] }, 'formats', /combined/],
    ['json and deterministicJson', { url, formats: ['json', 'deterministicJson'] }, 'formats', /not both/],
    [
      'screenshot quality 0',
      { url, formats: [{ type: 'screenshot', quality: 0 }] },
      'formats.0.quality',
      /at least 1|not be empty/,
    ],
    [
      'a viewport too wide',
      { url, formats: [{ type: 'screenshot', viewport: { width: 9999, height: 1 } }] },
      'formats.0.viewport.width',
      /7680/,
    ],
    [
      'a long question',
      { url, formats: [{ type: 'question', question: 'x'.repeat(10_001) }] },
      'formats.0.question',
      /10000/,
    ],
    [
      'waitFor over half of timeout',
      { url, waitFor: 600, timeout: 1000 },
      'waitFor',
      /^waitFor must not exceed half of timeout$/,
    ],
    ['waitFor over a minute', { url, waitFor: 60_001, timeout: 300_000 }, 'waitFor', /60 seconds/],
    ['timeout too short', { url, timeout: 999 }, 'timeout', /1000/],
    ['timeout as a string', { url, timeout: '5000' }, 'timeout', /number/],
    ['an unknown country', { url, location: { country: 'XX' } }, 'location.country', /ISO 3166/],
    ['a wait with both', { url, actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] }, 'actions.0', /either/],
    ['a wait with neither', { url, actions: [{ type: 'wait' }] }, 'actions.0', /either/],
    ['a wait with more', { url, actions: [{ type: 'wait', milliseconds: 1, x: 1 }] }, 'actions.0', /x/],
    [
      'too much waiting',
      { url, actions: Array(7).fill({ type: 'wait', milliseconds: 9000 }) },
      'actions',
      /60 seconds/,
    ],
    ['too many actions', { url, actions: Array(51).fill({ type: 'scrape' }) }, 'actions', /50/],
    ['an unknown action', { url, actions: [{ type: 'dance' }] }, 'actions.0.type', /click/],
    [
      'a raw format with redactPII',
      { url, formats: ['markdown', 'rawHtml'], redactPII: true },
      'formats.1',
      /cannot be redacted/,
    ],
    ['a capture with redactPII', { url, actions: [{ type: 'pdf' }], redactPII: {} }, 'actions.0', /cannot be redacted/],
    ['an unread PDF with redactPII', { url, parsers: [], redactPII: true }, 'parsers', /cannot be redacted/],
    ['redactPII with unknown keys', { url, redactPII: { foo: 1 } }, 'redactPII', /foo/],
    ['a header with a line break', { url, headers: { a: 'b\r\nc: d' } }, 'headers.a', /line breaks/],
    ['a header name with a space', { url, headers: { 'a b': 'c' } }, 'headers.a b', /header name/],
    ['a negative maxAge', { url, maxAge: -1 }, 'maxAge', /at least 0/],
    ['maxPages 0', { url, parsers: [{ type: 'pdf', maxPages: 0 }] }, 'parsers.0.maxPages', /at least 1|not be empty/],
    ['an empty profile name', { url, profile: { name: '' } }, 'profile.name', /at least 1|not be empty/],
    [
      'a blacklist with a path',
      { url, threatProtection: { blacklist: ['a.com/b'] } },
      'threatProtection.blacklist.0',
      /without protocol/,
    ],
  ];
  for (const [name, body, path, message] of cases) {
    test(name, () => {
      const found = problem(body);
      assert.ok(found.paths.includes(path), `${found.paths} does not contain ${path}`);
      assert.match(found.message, message);
    });
  }
});
