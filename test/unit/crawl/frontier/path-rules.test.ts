// The caller's expressions: what they match, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors.ts';
import { compilePathRules, type PathRulesOptions } from '../../../../src/crawl/frontier/path-rules.ts';

const rulesOf = (options: Partial<PathRulesOptions>) =>
  compilePathRules({ includePaths: [], excludePaths: [], regexOnFullURL: false, ...options });

const allows = (options: Partial<PathRulesOptions>, path: string) =>
  rulesOf(options).allows(new URL(path, 'https://example.com/'));

function refusal(options: Partial<PathRulesOptions>) {
  try {
    rulesOf(options);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'BAD_REQUEST');
    assert.ok(Array.isArray(error.details));
    assert.equal(error.details.length, 1);
    assert.equal(error.message, error.details[0]!.message);
    return error.details[0]!;
  }
  return assert.fail('the expressions were accepted');
}

test('without expressions every path is allowed', () => assert.ok(allows({}, '/any')));

test('an expression may match anywhere in the path, as in JavaScript', () => {
  const rule = { includePaths: ['blog'] };
  assert.ok(allows(rule, '/blog/a'));
  assert.ok(allows(rule, '/en/blog'));
  assert.ok(!allows(rule, '/about?from=blog'));
});

test('the first slash may be written or left out', () => {
  for (const source of ['^/blog/.*$', '^\\/blog\\/', '^blog/', 'blog/.*', '^blog/[a-z]+$']) {
    assert.ok(allows({ includePaths: [source] }, '/blog/a'), source);
    assert.ok(!allows({ includePaths: [source] }, '/about'), source);
  }
  assert.ok(!allows({ includePaths: ['^blog/'] }, '/en/blog/a'));
});

test('an exclude wins over an include', () => {
  const rule = { includePaths: ['^/blog'], excludePaths: ['/draft-', '^/blog/private/'] };
  assert.ok(allows(rule, '/blog/a'));
  assert.ok(!allows(rule, '/blog/draft-1'));
  assert.ok(!allows(rule, '/blog/private/a'));
});

test('an empty expression says nothing', () => {
  assert.ok(allows({ includePaths: [''], excludePaths: [''] }, '/a'));
});

test('on the full address, host and query count and the fragment does not', () => {
  const onUrl = (source: string, path: string) => allows({ includePaths: [source], regexOnFullURL: true }, path);
  assert.ok(onUrl('^https://example\\.com/a\\?b=1$', '/a?b=1#c'));
  assert.ok(!onUrl('^/a', '/a'));
  assert.ok(!onUrl('#c', '/a#c'));
});

test('what JavaScript expressions usually hold is understood', () => {
  for (const source of ['\\/a\\/\\d+', '(?<section>a)/', '[\\w-]+/\\d{2}', '\\u0061/', '^(?:/a|/b)/\\d+/?$', '[^]12']) {
    assert.ok(allows({ includePaths: [source] }, '/a/12'), source);
  }
});

test('look-around and back-references are refused by name', () => {
  for (const source of ['^/(?!admin)', 'a(?=b)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>']) {
    const { code, path, message } = refusal({ includePaths: ['ok', source] });
    assert.deepEqual([code, path], ['invalid_regex', ['includePaths', 1]]);
    assert.ok(message.includes(source), message);
    assert.match(message, /Look-around and back-references are not supported: .* \(RE2 syntax\)\.$/);
  }
});

test('their marks inside escapes and character classes are ordinary characters', () => {
  for (const source of ['[(?=]', '\\(\\?=', '\\\\1', '\\(?=', '[^(?!]']) rulesOf({ includePaths: [source] });
});

test('what cannot be compiled is refused with the reason', () => {
  for (const source of ['[a', '(', '*', 'a{2001}', '\\']) {
    const { code, path, message } = refusal({ excludePaths: [source] });
    assert.deepEqual([code, path], ['invalid_regex', ['excludePaths', 0]]);
    assert.ok(message.startsWith(`\`${source}\`: `), message);
  }
});

test('expressions that would cost too much are refused', () => {
  assert.match(refusal({ includePaths: ['a'.repeat(1_001)] }).message, /longer than 1000 characters/);
  assert.match(refusal({ includePaths: ['.{1000}'.repeat(100)] }).message, /too large once its repetitions/);
  assert.match(refusal({ includePaths: Array(60).fill('.{999}') }).message, /too large in total/);
  assert.match(refusal({ includePaths: Array(1_001).fill('a') }).message, /At most 1000/);
  assert.match(refusal({ includePaths: ['('.repeat(1_000)] }).message, /RE2 syntax/);
});

test('a thousand ordinary expressions are accepted', () => {
  const includePaths = Array.from({ length: 1_000 }, (_, i) => `^/section-${i}/[a-z]+-\\d+/?$`);
  assert.ok(allows({ includePaths }, '/section-999/item-1'));
  assert.ok(!allows({ includePaths }, '/section-1000/item-1'));
});
