// Regular expressions for paths: what they match, and which are rejected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { compilePathRules, type PathRulesOptions } from '../../../../src/crawl/frontier/path-rules.ts';

const rulesOf = (options: Partial<PathRulesOptions>) =>
  compilePathRules({ includePaths: [], excludePaths: [], regexOnFullURL: false, ...options });

const allows = (options: Partial<PathRulesOptions>, path: string) =>
  rulesOf(options).allows(new URL(path, 'https://example.com/'));

function rejection(options: Partial<PathRulesOptions>) {
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

test('the leading slash is optional', () => {
  for (const source of ['^/blog/.*$', '^\\/blog\\/', '^blog/', 'blog/.*', '^blog/[a-z]+$']) {
    assert.ok(allows({ includePaths: [source] }, '/blog/a'), source);
    assert.ok(!allows({ includePaths: [source] }, '/about'), source);
  }
  assert.ok(!allows({ includePaths: ['^blog/'] }, '/en/blog/a'));
});

test('excludePaths wins over includePaths', () => {
  const rule = { includePaths: ['^/blog'], excludePaths: ['/draft-', '^/blog/private/'] };
  assert.ok(allows(rule, '/blog/a'));
  assert.ok(!allows(rule, '/blog/draft-1'));
  assert.ok(!allows(rule, '/blog/private/a'));
});

test('empty expressions are ignored', () => {
  assert.ok(allows({ includePaths: [''], excludePaths: [''] }, '/a'));
});

test('regexOnFullURL matches host, path and query, but not the fragment', () => {
  const onUrl = (source: string, path: string) => allows({ includePaths: [source], regexOnFullURL: true }, path);
  assert.ok(onUrl('^https://example\\.com/a\\?b=1$', '/a?b=1#c'));
  assert.ok(!onUrl('^/a', '/a'));
  assert.ok(!onUrl('#c', '/a#c'));
});

test('common JavaScript syntax is supported', () => {
  for (const source of ['\\/a\\/\\d+', '(?<section>a)/', '[\\w-]+/\\d{2}', '\\u0061/', '^(?:/a|/b)/\\d+/?$', '[^]12']) {
    assert.ok(allows({ includePaths: [source] }, '/a/12'), source);
  }
});

test('look-around and back-references are rejected with an explanation', () => {
  for (const source of ['^/(?!admin)', 'a(?=b)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<x>a)\\k<x>']) {
    const { code, path, message } = rejection({ includePaths: ['ok', source] });
    assert.deepEqual([code, path], ['invalid_regex', ['includePaths', 1]]);
    assert.ok(message.includes(source), message);
    assert.match(message, /Look-around and back-references are not supported: .* \(RE2 syntax\)\.$/);
  }
});

test('look-around syntax inside escapes and character classes is plain text', () => {
  for (const source of ['[(?=]', '\\(\\?=', '\\\\1', '\\(?=', '[^(?!]']) rulesOf({ includePaths: [source] });
});

test('an invalid expression is rejected with the reason', () => {
  for (const source of ['[a', '(', '*', 'a{2001}', '\\']) {
    const { code, path, message } = rejection({ excludePaths: [source] });
    assert.deepEqual([code, path], ['invalid_regex', ['excludePaths', 0]]);
    assert.ok(message.startsWith(`\`${source}\`: `), message);
  }
});

test('expressions that are too expensive are rejected', () => {
  assert.match(rejection({ includePaths: ['a'.repeat(1_001)] }).message, /longer than 1000 characters/);
  assert.match(rejection({ includePaths: ['.{1000}'.repeat(100)] }).message, /too large once its repetitions/);
  assert.match(rejection({ includePaths: Array(60).fill('.{999}') }).message, /too large in total/);
  assert.match(rejection({ includePaths: Array(1_001).fill('a') }).message, /At most 1000/);
  assert.match(rejection({ includePaths: ['('.repeat(1_000)] }).message, /RE2 syntax/);
});

test('a thousand ordinary expressions are accepted', () => {
  const includePaths = Array.from({ length: 1_000 }, (_, i) => `^/section-${i}/[a-z]+-\\d+/?$`);
  assert.ok(allows({ includePaths }, '/section-999/item-1'));
  assert.ok(!allows({ includePaths }, '/section-1000/item-1'));
});

test('nothing is decided about a URL that is too long, or once the budget is spent', () => {
  const long = new URL(`https://example.com/${'a'.repeat(2_048)}`);
  assert.equal(rulesOf({ includePaths: ['a'] }).allows(long), undefined);
  assert.equal(rulesOf({ excludePaths: ['a'] }).allows(long), undefined);
  assert.equal(rulesOf({}).allows(long), true);
  const spent = { isSpent: () => true };
  const url = new URL('https://example.com/a');
  assert.equal(rulesOf({ includePaths: ['a'] }).allows(url, spent), undefined);
  assert.equal(rulesOf({ excludePaths: ['a'] }).allows(url, spent), undefined);
  assert.equal(rulesOf({}).allows(url, spent), true);
});
