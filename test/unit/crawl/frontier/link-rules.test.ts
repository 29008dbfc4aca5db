// Links are compared with hostile rules in a thread, within a budget: the event loop goes on, and what was skipped is said.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { isUnchecked } from '../../../../src/crawl/frontier/frontier.ts';
import type { SiteRules } from '../../../../src/crawl/frontier/link-judge.ts';
import { createLinkRules } from '../../../../src/crawl/frontier/link-rules.ts';
import { compileRules } from '../../../../src/crawl/robots/robots-rules.ts';
import { randomToken } from '../../../../src/util/ids.ts';
import { fullTest, test } from '../../../support/full-run.ts';

const SITE = 'https://site.test/';
const linkRules = createLinkRules({ pageMs: 50 });
after(() => linkRules.close());

function site(rules: Partial<SiteRules['scope']> = {}, start = SITE): SiteRules {
  const scope = {
    includePaths: [],
    excludePaths: [],
    regexOnFullURL: false,
    crawlEntireDomain: true,
    allowSubdomains: false,
    allowExternalLinks: false,
  };
  const keyRules = { similar: true, ignoreQuery: false };
  return { id: randomToken(8), scope: { ...scope, ...rules }, keyRules, start, home: start };
}

const pageOf = (links: string[]) => ({ from: { depth: 0, steps: 0, pattern: '', url: SITE }, links, next: [] });
const paths = (tasks: { url: string }[]) => tasks.map(({ url }) => new URL(url).pathname);

/** A text without repetition, in which these expressions need a new state for every letter. */
function tangle(length: number, seed = 1): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state & 0x10000 ? 'a' : 'b';
  }).join('');
}
const HOSTILE = Array.from({ length: 25 }, (_, index) => `[ab]*a[ab]{${300 - index}}[^a-z]`);
const longLinks = (count: number) => Array.from({ length: count }, (_, index) => SITE + tangle(1_900, index + 1));

/** How often the event loop turned until the work was done. */
/** At most one if the work blocks the loop. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  work
    .catch(() => {})
    .finally(() => {
      isDone = true;
    });
  for (; !isDone; turns += 1) await setImmediate();
  return turns;
}

test('links are compared with the path rules and robots.txt', async () => {
  const rules = site({ includePaths: ['^/blog'], excludePaths: ['draft'] });
  const robots = { origin: new URL(SITE).origin, rules: compileRules([{ allow: false, pattern: '/*secret' }]) };
  const page = pageOf(['blog/a', 'blog/draft', 'about', 'blog/secret'].map((path) => SITE + path));
  for (let round = 0; round < 2; round += 1) {
    const tasks = await linkRules.discover(rules, page, robots);
    assert.deepEqual(
      tasks.map(({ url, refused }) => [new URL(url).pathname, refused?.by]),
      [
        ['/blog/a', undefined],
        ['/blog/secret', 'robots'],
      ],
    );
  }
  assert.deepEqual(paths(await linkRules.seed(rules, [{ url: `${SITE}blog/b` }, { url: `${SITE}c` }])), ['/blog/b']);
  assert.deepEqual(await linkRules.decide(rules, [`${SITE}blog`, SITE, 'no url', 'https://other.test/']), [
    'in',
    'out',
    'out',
    'out',
  ]);
  assert.equal(await linkRules.includesStart(rules), false);
});

test('links that take no time are judged in the same way without a thread', async () => {
  const rules = site();
  const robots = { origin: new URL(SITE).origin, rules: compileRules([{ allow: false, pattern: '/*secret' }]) };
  const links = ['a', 'a#b', 'secret', 'image.png'].map((path) => SITE + path);
  const few = pageOf([...links, 'https://other.test/c']);
  // Too many for here: the same link again and again.
  const many = pageOf([...few.links, ...Array.from({ length: 1_000 }, () => links[0]!)]);
  const judged = await linkRules.discover(rules, few, robots);
  assert.deepEqual(
    judged.map(({ url, refused }) => [url, refused?.by]),
    [
      [`${SITE}a`, undefined],
      [`${SITE}secret`, 'robots'],
    ],
  );
  assert.deepEqual(await linkRules.discover(rules, many, robots), judged);
});

test('expressions that cannot be used are refused', async () => {
  await assert.rejects(linkRules.includesStart(site({ includePaths: ['(a'] })), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual(
      [error.code, (error.details as { path: unknown }[])[0]!.path],
      ['BAD_REQUEST', ['includePaths', 0]],
    );
    return true;
  });
});

test('a start URL that costs too much to compare is refused, and the event loop goes on meanwhile', async () => {
  for (const length of [16_000, 2_000]) {
    const checked = linkRules.includesStart(site({ excludePaths: HOSTILE }, SITE + tangle(length)));
    assert.ok((await turnsDuring(checked)) > 1);
    await assert.rejects(checked, /cannot be compared with `includePaths` and `excludePaths`/);
  }
});

test('links beyond the budget of their page are reported, and the event loop goes on meanwhile', async () => {
  const found = linkRules.discover(site({ excludePaths: HOSTILE }), pageOf(longLinks(50)));
  assert.ok((await turnsDuring(found)) > 1);
  const tasks = await found;
  assert.equal(tasks.length, 50);
  assert.ok(tasks.filter(isUnchecked).length > 40);
});

fullTest('a robots.txt of many wildcards costs no more than its budget', async () => {
  const pattern = (line: number) => `/${'*a*b'.repeat(5)}*bababa${line}`;
  const lines = Array.from({ length: 200 }, (_, line) => ({ allow: false, pattern: pattern(line) }));
  const robots = { origin: new URL(SITE).origin, rules: compileRules(lines) };
  const links = Array.from({ length: 10_000 }, (_, index) => `${SITE}${index}/${'ab'.repeat(700)}`);
  const found = linkRules.discover(site(), pageOf(links), robots);
  assert.ok((await turnsDuring(found)) > 1);
  const tasks = await found;
  assert.equal(tasks.length, 10_000);
  assert.ok(tasks.filter(isUnchecked).length > 1_000);
});

test('rules that exceed every budget are not compared any more', async () => {
  const strict = createLinkRules({ pageMs: 20 });
  const rules = site({ excludePaths: HOSTILE.slice(0, 3) });
  const isCheapChecked = async () => !isUnchecked((await strict.discover(rules, pageOf([`${SITE}cheap`])))[0]!);
  assert.ok(await isCheapChecked());
  for (let page = 0; page < 10; page += 1) await strict.discover(rules, pageOf(longLinks(100)));
  assert.ok(!(await isCheapChecked()));
  await strict.close();
});

test('a thread that ended starts again and is told the rules', async () => {
  const short = createLinkRules({ idleMs: 0 });
  const rules = site({ includePaths: ['a'] });
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(paths(await short.discover(rules, pageOf([`${SITE}a`, `${SITE}b`]))), ['/a']);
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  }
  await short.close();
});

test('calls that overlap never lose their thread to the idle timer of another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const judge = createLinkRules({ idleMs: 20 });
  t.after(() => judge.close());
  const rules = site({ excludePaths: ['x'] });
  const calls = Array.from({ length: 4 }, () => judge.includesStart(rules));
  for (const call of calls) {
    await call;
    t.mock.timers.tick(4);
  }
  // 20 ms after the first call.
  t.mock.timers.tick(4);
  const next = judge.includesStart(rules);
  // 20 ms after the second one.
  t.mock.timers.tick(4);
  assert.equal(await next, true);
});
