// Which URLs belong to a crawl.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePathRules } from '../../../../src/crawl/frontier/path-rules.ts';
import { createScope, type ScopeDecision, type ScopeOptions } from '../../../../src/crawl/frontier/scope.ts';

const NO_RULES = compilePathRules({ includePaths: [], excludePaths: [], regexOnFullURL: false });

function scopeOf(start: string, options: Partial<ScopeOptions> = {}, home = start) {
  const defaults = { crawlEntireDomain: false, allowSubdomains: false, allowExternalLinks: false, pathRules: NO_RULES };
  return createScope({ ...defaults, ...options }, new URL(start), new URL(home));
}

function assertJudged(scope: ReturnType<typeof scopeOf>, expected: Record<string, ScopeDecision>, isHome = true) {
  for (const [url, decision] of Object.entries(expected)) {
    assert.equal(scope.decide(new URL(url), { isHome }), decision, url);
  }
}

test('a crawl from the front page includes its host with and without www, over http and https', () =>
  assertJudged(scopeOf('https://example.com/'), {
    'https://example.com/a': 'in',
    'http://www.example.com/a/b?c=1': 'in',
    'https://example.com./a': 'in',
    'https://example.com:8443/a': 'out',
    'https://blog.example.com/a': 'out',
    'https://example.org/a': 'out',
    'https://notexample.com/a': 'out',
  }));

test('a non-default port is part of the host', () =>
  assertJudged(scopeOf('http://shop.test:8080/'), {
    'http://shop.test:8080/a': 'in',
    'http://shop.test/a': 'out',
    'http://shop.test:8081/a': 'out',
  }));

test('only child paths of the start page are in scope', () =>
  assertJudged(scopeOf('https://example.com/docs'), {
    'https://example.com/docs': 'in',
    'https://example.com/docs/': 'in',
    'https://example.com/docs/a/b': 'in',
    'https://example.com/Docs/a': 'in',
    'https://example.com/d%6Fcs/a': 'in',
    'https://example.com/docsother': 'out',
    'https://example.com/': 'out',
    'https://example.com/blog/docs/': 'out',
  }));

test('a start page that is a file puts its whole folder in scope', () => {
  for (const start of ['/docs/intro.html', '/docs/index.php', '/docs/']) {
    assertJudged(scopeOf(`https://example.com${start}`), {
      'https://example.com/docs/other.html': 'in',
      'https://example.com/docs': 'in',
      'https://example.com/blog': 'out',
    });
  }
});

test('a folder name may contain a dot', () => {
  for (const folder of ['v1.2', 'v1.2/', 'node.js/']) {
    assertJudged(scopeOf(`https://example.com/docs/${folder}`), {
      [`https://example.com/docs/${folder}/a`]: 'in',
      'https://example.com/docs/v1.3/a': 'out',
    });
  }
});

test('with crawlEntireDomain, the path of the start page does not matter', () =>
  assertJudged(scopeOf('https://example.com/docs', { crawlEntireDomain: true }), {
    'https://example.com/blog': 'in',
    'https://blog.example.com/': 'out',
  }));

test('if the start page redirects, both its old and its new URL are home', () =>
  assertJudged(scopeOf('https://example.com/docs', {}, 'https://docs.example.org/v2/'), {
    'https://example.com/docs/a': 'in',
    'https://docs.example.org/v2/a': 'in',
    'https://docs.example.org/v1/a': 'out',
    'https://example.com/v2/a': 'out',
  }));

test('allowSubdomains covers all subdomains of the registrable domain', () => {
  assertJudged(scopeOf('https://www.example.co.uk/docs', { allowSubdomains: true }), {
    'https://blog.example.co.uk/a': 'in',
    'https://a.b.example.co.uk/': 'in',
    'https://example.co.uk/docs/a': 'in',
    'https://example.co.uk/blog': 'out',
    'https://other.co.uk/a': 'out',
    'https://blog.example.co.uk:8443/a': 'out',
  });
  assertJudged(scopeOf('http://shop.example.test:81/', { allowSubdomains: true }), {
    'http://example.test:81/a': 'in',
    'http://blog.example.test:81/a': 'in',
    'http://blog.example.test/a': 'out',
  });
});

test('sites of other owners under a shared suffix such as github.io are not subdomains', () =>
  assertJudged(scopeOf('https://alice.github.io/', { allowSubdomains: true }), {
    'https://bob.github.io/': 'out',
    'https://github.io/': 'out',
    'https://www.alice.github.io/a': 'in',
  }));

test('IP addresses and single-label hosts have no subdomains', () => {
  assertJudged(scopeOf('http://localhost:3000/', { allowSubdomains: true }), {
    'http://localhost:3000/a': 'in',
    'http://a.localhost:3000/': 'out',
  });
  assertJudged(scopeOf('http://10.0.0.1/', { allowSubdomains: true }), {
    'http://10.0.0.1/a': 'in',
    'http://11.0.0.1/a': 'out',
  });
  assertJudged(scopeOf('http://[fd00::1]/', { allowSubdomains: true }), {
    'http://[fd00::1]/a': 'in',
    'http://[fd00::2]/a': 'out',
  });
});

test('external pages are at most one hop away, and external home pages are only listed', () => {
  const scope = scopeOf('https://example.com/docs', { allowExternalLinks: true });
  const external = { 'https://example.org/a': 'external', 'https://example.org/?a=1': 'external' } as const;
  assertJudged(scope, {
    ...external,
    'https://example.org/': 'external-home-page',
    'https://blog.example.com/a': 'external',
  });
  assertJudged(scope, { 'https://example.com/blog': 'out' });
  assertJudged(
    scope,
    { 'https://example.org/a': 'out', 'https://example.org/': 'out', 'https://example.com/docs/a': 'in' },
    false,
  );
});

test('path rules apply to home and external pages alike', () => {
  const pathRules = compilePathRules({ includePaths: ['^/keep'], excludePaths: ['secret'], regexOnFullURL: false });
  assertJudged(scopeOf('https://example.com/', { pathRules, allowExternalLinks: true }), {
    'https://example.com/keep/a': 'in',
    'https://example.com/keep/secret': 'out',
    'https://example.com/other': 'out',
    'https://example.org/keep': 'external',
    'https://example.org/other': 'out',
    'https://example.org/': 'out',
  });
});

test('URLs that cannot be pages are out of scope', () =>
  assertJudged(scopeOf('https://example.com/'), {
    'ftp://example.com/a': 'out',
    'mailto:a@example.com': 'out',
    'javascript:void(0)': 'out',
    'https://user@example.com/a': 'out',
    'https://:secret@example.com/a': 'out',
    [`https://example.com/${'a'.repeat(2_048)}`]: 'out',
    'https://example.com/a.JPG': 'out',
    'https://example.com/a.css?v=1': 'out',
    'https://example.com/app.js': 'out',
    'https://example.com/a.tar.gz': 'out',
    'https://example.com/film.mp4': 'out',
    'https://example.com/setup.exe': 'out',
    'https://example.com/font.woff2': 'out',
  }));

test('files with text or data are in scope', () => {
  for (const extension of ['pdf', 'docx', 'xlsx', 'csv', 'txt', 'xml', 'json', 'md', 'html', 'php', 'unknown']) {
    assertJudged(scopeOf('https://example.com/'), { [`https://example.com/a.${extension}`]: 'in' });
  }
  assertJudged(scopeOf('https://example.com/'), {
    'https://example.com/a.js/b': 'in',
    'https://example.com/zip': 'in',
  });
});

test('whether a URL is home depends on its host alone', () => {
  const scope = scopeOf('https://example.com/docs', { allowSubdomains: true });
  for (const url of ['https://example.com/blog', 'http://www.example.com/', 'https://a.example.com/']) {
    assert.ok(scope.isHome(new URL(url)), url);
  }
  assert.ok(!scope.isHome(new URL('https://example.org/docs')));
});
