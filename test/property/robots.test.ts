import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRobots } from '../../src/crawl/robots/robots-file.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_309);
const options = { seed: SEED, numRuns: amount({ short: 500, full: 2_000, long: 40_000 }) };

type Oracle = (url: string, text: string) => { isAllowed(url: string, userAgent: string): boolean | undefined };
const robotsParser = createRequire(import.meta.url)('robots-parser') as Oracle;

const joined = (tokens: string[], maxLength: number) =>
  fc.array(fc.constantFrom(...tokens), { maxLength }).map((parts) => parts.join(''));

// The files and addresses avoid what the reference implementation does differently from the standard. It does not
// - decode needless escapes (%61), nor escape characters that URLs leave alone (|, ', a lone %);
// - treat * and $ in an address as literal characters;
// - escape : and / in a query, which makes a rule longer;
// - group user-agent lines across other records, nor end a crawler's name where its letters end.
const path = joined(['a', 'a', 'a', 'b', '/', '.', 'ä', '%c3%a4', '%2f'], 8);
const query = joined(['a', 'b', '.', '=', '&', 'ä', '%2F'], 5);
const withQuery = (start: fc.Arbitrary<string>, end: fc.Arbitrary<string>) =>
  fc
    .tuple(start, fc.option(end, { freq: 1 }))
    .map(([before, after]) => (after === null ? before : `${before}?${after}`));
const address = withQuery(path, query).map((text) => new URL(`http://site.test/${text}`).href);
const pattern = fc
  .tuple(
    fc.constantFrom('/', '/', '/', '*', '', 'a'),
    withQuery(joined(['a', 'a', 'a', 'b', '/', '.', 'ä', '%C3%a4', '%2F', '*', '*'], 4), joined(['a', '=', '*'], 2)),
    fc.constantFrom('', '', '$'),
  )
  .map(([start, middle, end]) => start + middle + end);

const names = ['*', 'one', 'Two'];
const rule = fc
  .tuple(fc.constantFrom('Allow', 'Disallow', 'disallow'), pattern)
  .map(([key, value]) => `${key}: ${value}`);
const group = fc
  .tuple(
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
    fc.array(rule, { minLength: 1, maxLength: 5 }),
    fc.constantFrom([], ['# note'], ['Sitemap: /map.xml'], ['Noindex: /'], ['']),
  )
  .map(([agents, rules, others]) => [...agents.map((name) => `User-agent: ${name}`), ...rules, ...others].join('\n'));
const file = fc.array(group, { maxLength: 4 }).map((groups) => groups.join('\n'));

const isAllowed = (text: string, url: string, userAgent: string) =>
  parseRobots(text).rulesFor(userAgent).allows(new URL(url));

test(`robots.txt files are read as by another implementation of the standard (seed ${SEED})`, () => {
  let forbidden = 0;
  fc.assert(
    fc.property(
      file,
      fc.array(address, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...names),
      (text, urls, name) => {
        const oracle = robotsParser('http://site.test/robots.txt', text);
        for (const url of urls) {
          const expected = oracle.isAllowed(url, name);
          if (expected === false) forbidden += 1;
          assert.equal(isAllowed(text, url, name), expected, url);
        }
      },
    ),
    options,
  );
  assert.ok(
    forbidden > options.numRuns / 4,
    `only ${forbidden} addresses were forbidden: the generated files forbid too little`,
  );
});

test(`wildcards match the same paths as the equivalent regular expression (seed ${SEED})`, () => {
  const text = joined(['a', 'b', 'ab', '/'], 10);
  const glob = fc.tuple(joined(['a', 'b', '*', '*', '/'], 8), fc.constantFrom('', '$'));
  let matches = 0;
  fc.assert(
    fc.property(text, glob, (rest, [middle, end]) => {
      const url = new URL(`http://site.test/x${rest}`);
      const expression = new RegExp(`^/x${middle.replaceAll('*', '.*')}${end}`);
      const isForbidden = expression.test(url.pathname);
      if (isForbidden) matches += 1;
      assert.equal(isAllowed(`User-agent: *\nDisallow: /x${middle}${end}`, url.href, 'x'), !isForbidden);
    }),
    options,
  );
  assert.ok(matches > options.numRuns / 10);
});

test(`the order of rules, line breaks, and the case of keys and names do not matter (seed ${SEED})`, () => {
  const rules = fc.array(rule, { minLength: 1, maxLength: 6 });
  const breaks = fc.constantFrom('\n', '\r\n', '\r', '\n\n', ' # note\n', '\n\t');
  fc.assert(
    fc.property(rules, fc.func(fc.integer()), breaks, address, (lines, rank, lineBreak, url) => {
      const shuffled = lines.map((line, index) => [rank(index), line] as const).sort(([a], [b]) => a - b);
      const upper = shuffled.map(([, line]) => line.replace(/^\w+/, (key) => key.toUpperCase()));
      assert.equal(
        isAllowed(['USER-AGENT: TRAWL', ...upper].join(lineBreak), url, 'trawl/2'),
        isAllowed(['User-agent: Trawl', ...lines].join('\n'), url, 'Trawl'),
      );
    }),
    options,
  );
});

test(`all spellings of an address get the same answer (seed ${SEED})`, () => {
  const escaped = (text: string) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const plain = fc.string({ unit: fc.constantFrom(...'abz09-._~äツ😀'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(plain, (text) => {
      for (const rule of [text, escaped(text), escaped(text).toUpperCase()]) {
        for (const path of [text, escaped(text)]) {
          const url = `http://site.test/x${path}`;
          assert.equal(isAllowed(`User-agent: *\nDisallow: /x${rule}$`, url, 'x'), false, `${rule} ${url}`);
        }
      }
    }),
    options,
  );
});

test(`any text is a valid robots.txt, and every address gets an answer (seed ${SEED})`, () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('User-agent:', 'Disallow:', 'Allow: ', 'Crawl-delay: ', '*', '$', '%', '%zz', '\n', '\r', '#', ':'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.string({ unit: 'binary' }), fc.webUrl(), (parts, name, url) => {
      const rules = parseRobots(parts.join('')).rulesFor(name);
      assert.equal(typeof rules.allows(new URL(url)), 'boolean');
      const { crawlDelay = 0 } = rules;
      assert.ok(crawlDelay >= 0 && crawlDelay <= 300);
    }),
    options,
  );
});
