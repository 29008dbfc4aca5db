import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROBOTS_BYTES, parseRobots } from '../../../../src/crawl/robots/robots-file.ts';

const allows = (text: string, path: string, userAgent = 'Trawl') =>
  parseRobots(text).rulesFor(userAgent).allows(new URL(path, 'https://site.test'));

/** The paths that a file with these rules for all user agents forbids. */
const forbidden = (rules: string[], paths: string[]) =>
  paths.filter((path) => !allows(['User-agent: *', ...rules].join('\n'), path));

test('a rule matches paths that start with it, case-sensitively', () => {
  assert.deepEqual(forbidden(['Disallow: /fish'], ['/fish', '/fish/salmon', '/fishing?x', '/Fish', '/a/fish', '/']), [
    '/fish',
    '/fish/salmon',
    '/fishing?x',
  ]);
  assert.deepEqual(forbidden(['Disallow: /'], ['/', '/x']), ['/', '/x']);
});

test('an empty or missing rule forbids nothing', () => {
  assert.deepEqual(forbidden(['Disallow:', 'Disallow: # nothing'], ['/', '/x']), []);
  assert.equal(allows('', '/x'), true);
  assert.equal(allows('User-agent: *', '/x'), true);
});

test('the longest rule wins in any order, and Allow wins a tie', () => {
  const rules = ['Disallow: /a', 'Allow: /a/b', 'Disallow: /a/b/c'];
  assert.deepEqual(forbidden(rules, ['/a', '/a/b', '/a/b/c', '/a/b/d']), ['/a', '/a/b/c']);
  assert.deepEqual(forbidden(rules.toReversed(), ['/a', '/a/b', '/a/b/c', '/a/b/d']), ['/a', '/a/b/c']);
  assert.deepEqual(forbidden(['Disallow: /page', 'Allow: /page'], ['/page']), []);
  assert.deepEqual(forbidden(['Allow: /pag*', 'Disallow: /page'], ['/page']), []);
  assert.deepEqual(forbidden(['Allow: /page', 'Disallow: /*.htm'], ['/page.htm', '/page']), ['/page.htm']);
});

test('* matches anything and $ the end', () => {
  assert.deepEqual(
    forbidden(['Disallow: /*.php$'], ['/a.php', '/a/b.php', '/.php', '/a.php?x', '/a.php5', '/a.PHP', '/php']),
    ['/a.php', '/a/b.php', '/.php'],
  );
  assert.deepEqual(forbidden(['Disallow: /fish*.php'], ['/fish.php', '/fishheads/catfish.php?x=1', '/Fish.php']), [
    '/fish.php',
    '/fishheads/catfish.php?x=1',
  ]);
  assert.deepEqual(forbidden(['Disallow: /a*a$'], ['/a', '/aa', '/aba', '/abab']), ['/aa', '/aba']);
  assert.deepEqual(forbidden(['Disallow: /end$'], ['/end', '/ending', '/end?']), ['/end', '/end?']);
  assert.deepEqual(forbidden(['Disallow: */x/**y'], ['/x/y', '/a/x/b/y/c', '/x', '/xy']), ['/x/y', '/a/x/b/y/c']);
  assert.deepEqual(forbidden(['Disallow: /a$b'], ['/a$b/c', '/a']), ['/a$b/c'], '$ is special only at the end');
  assert.deepEqual(forbidden(['Disallow: *'], ['/']), ['/']);
});

test('an escaped * or $ in a rule matches the literal character', () => {
  assert.deepEqual(forbidden(['Disallow: /file-%2A.html'], ['/file-*.html', '/file-%2a.html', '/file-x.html']), [
    '/file-*.html',
    '/file-%2a.html',
  ]);
  assert.deepEqual(forbidden(['Disallow: /price%24'], ['/price$', '/price$5', '/price']), ['/price$', '/price$5']);
});

test('rules and URLs are compared in one encoding, as in the table of RFC 9309', () => {
  for (const [rule, path] of [
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar?baz=https%3a%2f%2ffoo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%e3%83%84', '/foo/bar/ツ'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62%61%7a'],
    ['/a b|c', '/a%20b%7Cc'],
    ["/it's?it's", "/it's?it's"],
    ['/*url=http://', '/go?url=http://x'],
  ] as const) {
    assert.equal(allows(`User-agent: *\nDisallow: ${rule}`, path), false, `${rule} forbids ${path}`);
  }
  assert.deepEqual(forbidden(['Disallow: /a%2Fb'], ['/a/b', '/a%2fb']), ['/a%2fb'], 'an escaped / is not a /');
  assert.deepEqual(
    forbidden(['Disallow: /9%'], ['/9%', '/9%25', '/9%20']),
    ['/9%', '/9%25'],
    'a lone % is a literal %',
  );
});

test('the length of a rule is counted in bytes after normalisation', () => {
  assert.deepEqual(forbidden(['Disallow: /ツ', 'Allow: /%E3%83%84'], ['/ツ']), []);
  assert.deepEqual(forbidden(['Disallow: /%61%62%63', 'Allow: /*bc*'], ['/abc']), []);
});

test('robots.txt itself may always be read', () => {
  assert.deepEqual(forbidden(['Disallow: /'], ['/robots.txt', '/robots.txt.bak', '/a/robots.txt']), [
    '/robots.txt.bak',
    '/a/robots.txt',
  ]);
});

test('a crawler obeys all groups that name it, or else all groups for *', () => {
  const file = `
    User-agent: *
    Disallow: /everyone
    User-agent: TRAWL
    Disallow: /first
    User-agent: other
    Disallow: /other
    User-agent: trawl/2.0 (test)
    Disallow: /second
    User-agent: *
    Disallow: /everyone-too`;
  const paths = ['/everyone', '/first', '/other', '/second', '/everyone-too'];
  const resultFor = (userAgent: string) => paths.filter((path) => !allows(file, path, userAgent));
  assert.deepEqual(resultFor('Trawl/1.0 (+https://trawl.test)'), ['/first', '/second']);
  assert.deepEqual(resultFor('trawler'), ['/everyone', '/everyone-too']);
  assert.deepEqual(resultFor('Other'), ['/other']);
  assert.deepEqual(resultFor(''), ['/everyone', '/everyone-too']);
  assert.deepEqual(resultFor('*'), ['/everyone', '/everyone-too']);
});

test('the longest matching product name wins, compared part by part', () => {
  const file = 'User-agent: news\nDisallow: /news\n\nUser-agent: news-bot\nDisallow: /bot\n';
  const resultFor = (userAgent: string) => ['/news', '/bot'].filter((path) => !allows(file, path, userAgent));
  assert.deepEqual(resultFor('news-bot'), ['/bot']);
  assert.deepEqual(resultFor('News-Bot-Images/3'), ['/bot']);
  assert.deepEqual(resultFor('news_x'), ['/news']);
  assert.deepEqual(resultFor('newsbot'), []);
});

test('consecutive user agents share their rules, and only a rule ends the sequence', () => {
  const file =
    'User-agent: a\nUser-agent: b\n\nSitemap: /s.xml\nNoise: 1\nUser-agent: c\nDisallow: /x\nUser-agent: d\n';
  const bound = ['a', 'b', 'c', 'd', 'e'].filter((userAgent) => !allows(file, '/x', userAgent));
  assert.deepEqual(bound, ['a', 'b', 'c']);
});

test('rules before any user agent, unknown lines and invalid user agents apply to nobody', () => {
  assert.equal(allows('Disallow: /\nUser-agent: *\nAllow: /a', '/b'), true);
  assert.equal(allows('User-agent: *\nDissalow: /\nDisallow /\n<b>Disallow</b>: /\nDisallow: b', '/b'), true);
  assert.equal(allows('User-agent:\nDisallow: /', '/b'), true);
  assert.equal(allows('User-agent: 360\nDisallow: /', '/b'), true);
});

test('all kinds of line breaks, byte order marks, whitespace and comments are accepted', () => {
  for (const lines of ['\n', '\r', '\r\n', '\n\r\n']) {
    const file = ['\ufeffUSER-AGENT : * # all', '  # a comment', '\tDisallow\t:\t/x # no', 'Allow:/x/y#z'].join(lines);
    assert.equal(allows(file, '/x'), false);
    assert.equal(allows(file, '/x/y'), true);
  }
});

test('a crawl delay is read in seconds, may be fractional, is limited to 0 to 300, and the longest one applies', () => {
  const delay = (...lines: string[]) =>
    parseRobots(['User-agent: *', ...lines].join('\n')).rulesFor('Trawl').crawlDelay;
  assert.equal(delay('Crawl-delay: 2'), 2);
  assert.equal(delay('crawl-delay: 0.5 # half'), 0.5);
  assert.equal(delay('Crawl-delay: 86400'), 300);
  assert.equal(delay('Crawl-delay: 1e99'), 300);
  assert.equal(delay('Crawl-delay: 0'), 0);
  for (const value of ['', 'soon', '-5', 'NaN']) assert.equal(delay(`Crawl-delay: ${value}`), undefined, value);
  assert.equal(delay('Crawl-delay: 5', 'Disallow: /a', 'User-agent: *', 'Crawl-delay: 3'), 5);
});

test('a crawl delay applies to the user agents before it and does not end their sequence', () => {
  const file = parseRobots('User-agent: slurp\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /private\n');
  const resultFor = (userAgent: string) => {
    const rules = file.rulesFor(userAgent);
    return [rules.crawlDelay, rules.allows(new URL('https://site.test/private'))];
  };
  assert.deepEqual(resultFor('Trawl'), [undefined, false]);
  assert.deepEqual(resultFor('Slurp'), [10, false]);
});

test('sitemaps are listed as written, wherever they appear', () => {
  const file = parseRobots(
    'Sitemap: https://a.test/1.xml\nUser-agent: *\nsitemap:/2.xml\nDisallow: /\nSITEMAP : x y\nSitemap:',
  );
  assert.deepEqual(file.sitemaps, ['https://a.test/1.xml', '/2.xml', 'x y']);
  assert.equal(parseRobots('Sitemap: /x\n'.repeat(5_000)).sitemaps.length, 1_000);
});

test('nothing after 500 KiB is read, nor the line that crosses the limit', () => {
  const head = 'User-agent: *\nDisallow: /early\n';
  const tail = 'Disallow: /late/and/long\n';
  const file = (fill: string, room: number) => {
    const length = MAX_ROBOTS_BYTES - Buffer.byteLength(head) - room - 2;
    return `${head}#${fill.repeat(length / Buffer.byteLength(fill))}\n${tail}`;
  };
  for (const fill of ['x', 'ツ']) {
    assert.equal(allows(file(fill, tail.length + 2), '/late/and/long'), false, 'the whole file fits');
    const cut = file(fill, 15);
    assert.equal(allows(cut, '/early'), false);
    assert.equal(allows(cut, '/late/and/long'), true);
    assert.equal(allows(cut, '/la'), true, 'a truncated rule is not a rule');
  }
  assert.equal(allows(`User-agent: *\nDisallow: /${'x'.repeat(MAX_ROBOTS_BYTES)}`, '/x'), true);
});

test('a URL is forbidden if its rules are too expensive to evaluate', () => {
  const stars = (count: number) => `Disallow: /${'*a'.repeat(count)}*b`;
  const long = `/${'a'.repeat(16_000)}`;
  const cases: [rules: string[], path: string, isAllowed: boolean][] = [
    [[stars(8_000)], '/plain', true],
    [[stars(200_000)], '/plain', false],
    [Array(9_000).fill(stars(20)), '/plain', false],
    [Array.from({ length: 40_000 }, (_, index) => `Allow: /*a${index}`), '/plain', false],
    [Array.from({ length: 400 }, (_, index) => `Allow: /*a${index}`), '/plain', true],
    [Array(60).fill(`Disallow: /*${'a'.repeat(4_000)}b${'a'.repeat(4_000)}`), '/plain', true],
    [Array(60).fill(`Disallow: /*${'a'.repeat(4_000)}b${'a'.repeat(4_000)}`), long, false],
    [Array.from({ length: 990 }, (_, length) => `Disallow: /${'a'.repeat(length)}b`), long, true],
  ];
  for (const [rules, path, isAllowed] of cases) {
    const { allows } = parseRobots(`User-agent: *\n${rules.join('\n')}`).rulesFor('Trawl');
    const url = new URL(path, 'https://site.test');
    for (let count = 0; count < 20; count += 1) assert.equal(allows(url), isAllowed, rules[0]!.slice(0, 30));
  }
});

test('many user agents that share many rules do not multiply the work', () => {
  const names = Array.from({ length: 12_000 }, (_, index) => `User-agent: a${'-b'.repeat(index % 7)}\nCrawl-delay: 1`);
  const rules = Array.from({ length: 12_000 }, (_, index) => `Disallow: /${index}`);
  const file = parseRobots([...names, ...rules].join('\n').slice(0, MAX_ROBOTS_BYTES - 1));
  for (const userAgent of ['a', 'a-b', 'a-b-b-b-b-b-b-b', 'a-'.repeat(8_000)]) {
    assert.equal(file.rulesFor(userAgent).allows(new URL('https://site.test/7')), false, userAgent.slice(0, 20));
  }
});
