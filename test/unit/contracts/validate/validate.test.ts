// Validation errors have sentences of our own, never those of the validator.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { batchRequest } from '../../../../src/contracts/crawl/batch.ts';
import { type ErrorDetail, ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { scrapeRequest } from '../../../../src/contracts/scrape/scrape.ts';
import { validate } from '../../../../src/contracts/validate/validate.ts';

const url = 'https://example.com';
/** Words from the library's messages, which ours never contain. */
const RAW = /invalid input|invalid option|too small|too big|expected|unrecognized|received|invalid string/i;

function refusal(schema: z.ZodType, body: unknown): { message: string; details: ErrorDetail[] } {
  try {
    validate(schema, body);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'BAD_REQUEST');
    return { message: error.message, details: error.details as ErrorDetail[] };
  }
  return assert.fail(`accepted: ${JSON.stringify(body)}`);
}

const list = z.object({ size: z.number().multipleOf(5), when: z.iso.date(), tags: z.set(z.string()) }).partial();
const checked = z.object({ code: z.string().refine((text) => text !== 'no') });
const small = z.object({ above: z.number().gt(2).optional(), below: z.number().lt(2).optional() });
const map = z.object({ ages: z.map(z.string(), z.number()) });

const CASES: [code: string, schema: z.ZodType, body: unknown, message: string][] = [
  ['invalid_type', scrapeRequest, { url, mobile: 'yes' }, '`mobile` must be true or false.'],
  ['invalid_type', scrapeRequest, { url, timeout: 1500.5 }, '`timeout` must be a whole number.'],
  ['invalid_type', scrapeRequest, { url, includeTags: 'h1' }, '`includeTags` must be a list.'],
  ['invalid_type', scrapeRequest, { url, profile: {} }, '`profile.name` is required and must be a string.'],
  ['invalid_type', scrapeRequest, [], 'The request body must be an object.'],
  ['too_small', scrapeRequest, { url, timeout: 5 }, '`timeout` must be at least 1000.'],
  ['too_small', scrapeRequest, { url, profile: { name: '' } }, '`profile.name` must not be empty.'],
  ['too_small', small, { above: 1 }, '`above` must be more than 2.'],
  ['too_big', small, { below: 3 }, '`below` must be less than 2.'],
  ['too_big', scrapeRequest, { url, waitFor: 1e6 }, '`waitFor` must be at most 60000.'],
  [
    'too_big',
    scrapeRequest,
    { url, profile: { name: 'a'.repeat(200) } },
    '`profile.name` must have at most 128 characters.',
  ],
  ['invalid_value', scrapeRequest, { url, proxy: 'none' }, '`proxy` must be one of: basic, enhanced, stealth, auto.'],
  ['invalid_format', list, { when: 'soon' }, '`when` has an invalid format (date).'],
  ['not_multiple_of', list, { size: 3 }, '`size` must be a multiple of 5.'],
  ['custom', checked, { code: 'no' }, '`code` is not valid.'],
];

describe('each kind of issue has our own sentence and its path', () => {
  for (const [code, schema, body, expected] of CASES) {
    test(`${code}: ${expected}`, () => {
      const { message, details } = refusal(schema, body);
      const detail = details.find((each) => each.message === expected);
      assert.equal(detail?.code, code, JSON.stringify(details));
      assert.doesNotMatch(JSON.stringify({ message, details }), RAW);
    });
  }

  test('invalid_union: an unknown type is answered with the known types', () => {
    const { message, details } = refusal(scrapeRequest, { url, actions: [{ type: 'jump' }] });
    assert.deepEqual([details[0]!.code, details[0]!.path], ['invalid_union', ['actions', 0, 'type']]);
    assert.match(message, /^Bad Request: `actions\.0\.type` must be one of: wait, screenshot, click, /);
    assert.doesNotMatch(message, RAW);
  });

  test('unrecognized_keys: the keys are named', () => {
    const { details } = refusal(scrapeRequest, { url, redactPII: { mode: 'fast', colour: 'red' } });
    assert.deepEqual(details, [
      { code: 'unrecognized_keys', path: ['redactPII'], message: '`redactPII` has unknown keys: colour. Remove them.' },
    ]);
  });

  test('invalid_key: the rule that the key breaks is given', () => {
    const { details } = refusal(scrapeRequest, { url, headers: { 'a b': 'c' } });
    assert.deepEqual(details[0]!.path, ['headers', 'a b']);
    assert.equal(details[0]!.message, 'This is not a valid header name.');
  });

  test('invalid_element: the rule that the entry breaks is given', () => {
    const { details } = refusal(map, { ages: new Map([['Ann', 'old']]) });
    assert.doesNotMatch(JSON.stringify(details), RAW);
  });
});

test('a message written in the contract is used unchanged', () => {
  assert.match(refusal(scrapeRequest, {}).message, /^Bad Request: Set `url` to the page to scrape/);
  assert.match(refusal(batchRequest, { urls: [] }).message, /`urls` must have at least one entry\./);
  assert.match(refusal(scrapeRequest, { url, formats: ['prose'] }).message, /'prose' is not a format\./);
});

test('the message of a rule across several options becomes the main error message', () => {
  const { message } = refusal(scrapeRequest, { url, timeout: 2_000, waitFor: 1_500 });
  assert.equal(message, 'waitFor must not exceed half of timeout');
});

test('a long list of wrong entries is reported with its first one', () => {
  const { message, details } = refusal(batchRequest, { urls: Array(100_000).fill(1) });
  assert.deepEqual(
    details.map(({ path }) => path),
    [['urls', 0]],
  );
  assert.match(message, /`urls\.0` must be a string/);
});

test('the problems of a request are listed up to a hundred', () => {
  const names = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`not a name ${index}`, '1']));
  assert.equal(refusal(scrapeRequest, { url, headers: names }).details.length, 100);
});

test('maps and JSON values have bounds', () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']));
  validate(scrapeRequest, { url, headers: names(200) });
  assert.match(refusal(scrapeRequest, { url, headers: names(201) }).message, /`headers` must have at most 200 entries/);
  let schema: unknown = {};
  for (let level = 0; level < 100_000; level += 1) schema = { schema };
  const deep = { urls: [url], webhook: { url, metadata: { schema } } };
  assert.match(
    refusal(batchRequest, deep).message,
    /`webhook.metadata` is too large: it may have 65536 characters and 32/,
  );
});

test('values that cannot be written as a text are refused like any other wrong value', () => {
  const odd = { toString: 1, valueOf: 2 };
  for (const format of [odd, [odd], [[odd]], null, 5, true, 'x'.repeat(5_000)]) {
    const { message } = refusal(scrapeRequest, { url, formats: [format] });
    assert.ok(message.length < 1_000, message);
  }
});
