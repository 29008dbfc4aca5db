import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROBOTS_BYTES, parseRobots } from '../../../../src/crawl/robots/robots-file.ts';

const allows = (text: string, path: string, userAgent = 'Trawl') =>
  parseRobots(text).rulesFor(userAgent).allows(new URL(path, 'https://site.test'));

/** Which of the paths a file with these rules for everyone forbids. */
const forbidden = (rules: string[], paths: string[]) =>
  paths.filter((path) => !allows(['User-agent: *', ...rules].join('\n'), path));

test('a rule binds what begins with it, and case counts', () => {
  assert.deepEqual(forbidden(['Disallow: /fish'], ['/fish', '/fish/salmon', '/fishing?x', '/Fish', '/a/fish', '/']), [
    '/fish',
    '/fish/salmon',
    '/fishing?x',
  ]);
  assert.deepEqual(forbidden(['Disallow: /'], ['/', '/x']), ['/', '/x']);
});

test('an empty rule, or none, forbids nothing', () => {
  assert.deepEqual(forbidden(['Disallow:', 'Disallow: # nothing'], ['/', '/x']), []);
  assert.equal(allows('', '/x'), true);
  assert.equal(allows('User-agent: *', '/x'), true);
});

test('the longest rule wins whatever the order, and of two as long the one that allows', () => {
  const rules = ['Disallow: /a', 'Allow: /a/b', 'Disallow: /a/b/c'];
  assert.deepEqual(forbidden(rules, ['/a', '/a/b', '/a/b/c', '/a/b/d']), ['/a', '/a/b/c']);
  assert.deepEqual(forbidden(rules.toReversed(), ['/a', '/a/b', '/a/b/c', '/a/b/d']), ['/a', '/a/b/c']);
  assert.deepEqual(forbidden(['Disallow: /page', 'Allow: /page'], ['/page']), []);
  assert.deepEqual(forbidden(['Allow: /pag*', 'Disallow: /page'], ['/page']), []);
  assert.deepEqual(forbidden(['Allow: /page', 'Disallow: /*.htm'], ['/page.htm', '/page']), ['/page.htm']);
});

test('* stands for anything and $ for the end', () => {
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

test('a * or $ in an address is only itself: rules write it escaped', () => {
  assert.deepEqual(forbidden(['Disallow: /file-%2A.html'], ['/file-*.html', '/file-%2a.html', '/file-x.html']), [
    '/file-*.html',
    '/file-%2a.html',
  ]);
  assert.deepEqual(forbidden(['Disallow: /price%24'], ['/price$', '/price$5', '/price']), ['/price$', '/price$5']);
});

test('both sides are compared in one spelling, as the table of the standard has it', () => {
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
  assert.deepEqual(forbidden(['Disallow: /a%2Fb'], ['/a/b', '/a%2fb']), ['/a%2fb'], 'an escaped / is no /');
  assert.deepEqual(forbidden(['Disallow: /9%'], ['/9%', '/9%25', '/9%20']), ['/9%', '/9%25'], 'a lone % is itself');
});

test('length is counted in octets of the common spelling', () => {
  assert.deepEqual(forbidden(['Disallow: /ツ', 'Allow: /%E3%83%84'], ['/ツ']), []);
  assert.deepEqual(forbidden(['Disallow: /%61%62%63', 'Allow: /*bc*'], ['/abc']), []);
});

test('robots.txt itself may always be read', () => {
  assert.deepEqual(forbidden(['Disallow: /'], ['/robots.txt', '/robots.txt.bak', '/a/robots.txt']), [
    '/robots.txt.bak',
    '/a/robots.txt',
  ]);
});

test('a crawler obeys the groups that name its product, all of them, and else those for everyone', () => {
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
  const of = (userAgent: string) => paths.filter((path) => !allows(file, path, userAgent));
  assert.deepEqual(of('Trawl/1.0 (+https://trawl.test)'), ['/first', '/second']);
  assert.deepEqual(of('trawler'), ['/everyone', '/everyone-too']);
  assert.deepEqual(of('Other'), ['/other']);
  assert.deepEqual(of(''), ['/everyone', '/everyone-too']);
  assert.deepEqual(of('*'), ['/everyone', '/everyone-too']);
});

test('the longest name wins, part by part', () => {
  const file = 'User-agent: news\nDisallow: /news\n\nUser-agent: news-bot\nDisallow: /bot\n';
  const of = (userAgent: string) => ['/news', '/bot'].filter((path) => !allows(file, path, userAgent));
  assert.deepEqual(of('news-bot'), ['/bot']);
  assert.deepEqual(of('News-Bot-Images/3'), ['/bot']);
  assert.deepEqual(of('news_x'), ['/news']);
  assert.deepEqual(of('newsbot'), []);
});

test('names in a row share their rules, and only rules end the row', () => {
  const file =
    'User-agent: a\nUser-agent: b\n\nSitemap: /s.xml\nNoise: 1\nUser-agent: c\nDisallow: /x\nUser-agent: d\n';
  const bound = ['a', 'b', 'c', 'd', 'e'].filter((userAgent) => !allows(file, '/x', userAgent));
  assert.deepEqual(bound, ['a', 'b', 'c']);
});

test('rules before any name, unknown lines and a name that is none bind nobody', () => {
  assert.equal(allows('Disallow: /\nUser-agent: *\nAllow: /a', '/b'), true);
  assert.equal(allows('User-agent: *\nDissalow: /\nDisallow /\n<b>Disallow</b>: /\nDisallow: b', '/b'), true);
  assert.equal(allows('User-agent:\nDisallow: /', '/b'), true);
  assert.equal(allows('User-agent: 360\nDisallow: /', '/b'), true);
});

test('line breaks of every kind, a byte order mark, blanks and comments are taken as they come', () => {
  for (const lines of ['\n', '\r', '\r\n', '\n\r\n']) {
    const file = ['\ufeffUSER-AGENT : * # all', '  # a comment', '\tDisallow\t:\t/x # no', 'Allow:/x/y#z'].join(lines);
    assert.equal(allows(file, '/x'), false);
    assert.equal(allows(file, '/x/y'), true);
  }
});

test('a delay is read in seconds, decimals too, within 0 and 300, and the longest counts', () => {
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

test('a delay is for those named before it, and does not end the row of names', () => {
  const file = parseRobots('User-agent: slurp\nCrawl-delay: 10\n\nUser-agent: *\nDisallow: /private\n');
  const of = (userAgent: string) => {
    const rules = file.rulesFor(userAgent);
    return [rules.crawlDelay, rules.allows(new URL('https://site.test/private'))];
  };
  assert.deepEqual(of('Trawl'), [undefined, false]);
  assert.deepEqual(of('Slurp'), [10, false]);
});

test('sitemaps are listed as written, wherever they stand', () => {
  const file = parseRobots(
    'Sitemap: https://a.test/1.xml\nUser-agent: *\nsitemap:/2.xml\nDisallow: /\nSITEMAP : x y\nSitemap:',
  );
  assert.deepEqual(file.sitemaps, ['https://a.test/1.xml', '/2.xml', 'x y']);
  assert.equal(parseRobots('Sitemap: /x\n'.repeat(5_000)).sitemaps.length, 1_000);
});

test('what lies beyond 500 KiB is not read, nor the line that crosses it', () => {
  const head = 'User-agent: *\nDisallow: /early\n';
  const tail = 'Disallow: /late/and/long\n';
  const file = (fill: string, room: number) => {
    const length = MAX_ROBOTS_BYTES - Buffer.byteLength(head) - room - 2;
    return `${head}#${fill.repeat(length / Buffer.byteLength(fill))}\n${tail}`;
  };
  for (const fill of ['x', 'ツ']) {
    assert.equal(allows(file(fill, tail.length + 2), '/late/and/long'), false, 'all of it fits');
    const cut = file(fill, 15);
    assert.equal(allows(cut, '/early'), false);
    assert.equal(allows(cut, '/late/and/long'), true);
    assert.equal(allows(cut, '/la'), true, 'half a rule is no rule');
  }
  assert.equal(allows(`User-agent: *\nDisallow: /${'x'.repeat(MAX_ROBOTS_BYTES)}`, '/x'), true);
});

test('no file keeps us busy: what would take too long to tell is not fetched', () => {
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

test('many names for many rules are no product of the two', () => {
  const names = Array.from({ length: 12_000 }, (_, index) => `User-agent: a${'-b'.repeat(index % 7)}\nCrawl-delay: 1`);
  const rules = Array.from({ length: 12_000 }, (_, index) => `Disallow: /${index}`);
  const file = parseRobots([...names, ...rules].join('\n').slice(0, MAX_ROBOTS_BYTES - 1));
  for (const userAgent of ['a', 'a-b', 'a-b-b-b-b-b-b-b', 'a-'.repeat(8_000)]) {
    assert.equal(file.rulesFor(userAgent).allows(new URL('https://site.test/7')), false, userAgent.slice(0, 20));
  }
});
