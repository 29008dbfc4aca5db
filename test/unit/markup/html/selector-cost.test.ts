// Selectors that would take minutes or years end after a bounded number of steps, with an error that names them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { createSelect, SelectorTooComplex } from '../../../../src/markup/html/select-nodes.ts';

const wide = parseHtml(`<main>${'<p class="a">x</p>'.repeat(50_000)}</main>`);
const deep = parseHtml(`${'<div class="a">'.repeat(500)}${'<b>x</b>'.repeat(2_000)}`);
const long = parseHtml(`<main title="${'x'.repeat(2_000_000)}">${'<p>x</p>'.repeat(5_000)}</main>`);

const ATTACKS: [string, typeof wide, string][] = [
  ['counting from the end', wide, 'p:nth-last-child(3n+7)'],
  ['counting by type', wide, 'p:nth-last-of-type(2n)'],
  ['counting what matches', wide, 'p:nth-child(2n of p.a)'],
  ['all earlier siblings', wide, '.none ~ p'],
  ['the sibling before', wide, '.none + p'],
  ['siblings after, for each', wide, 'p:has(~ .none)'],
  ['many ancestors', deep, 'div div div div div div.none b'],
  ['ancestors of ancestors', deep, ':is(div div div .none, b b b b) b'],
  ['descendants, for each', deep, 'div:has(div:has(div:has(.none)))'],
  ['what does not contain', deep, ':not(:has(:not(:has(.none))))'],
  ['the text of everything', deep, ':contains("y") :contains("y") b, div:contains("y")'],
  ['a long attribute, for each child', long, '[title*="y"] p'],
];

test('each ends with an error that names it', async (t) => {
  for (const [name, tree, selector] of ATTACKS) {
    await t.test(name, () => {
      const select = createSelect(tree, 3_000_000);
      assert.throws(
        () => select(selector),
        (error: unknown) => error instanceof SelectorTooComplex && error.message.includes(selector),
      );
    });
  }
});

test('usual selectors have enough steps on large pages', () => {
  const usual = [
    'main p.a',
    'main > p',
    'p:first-child',
    '[class~="a"]',
    'nav, footer, .ads',
    'p:not(.b)',
    'div .a b',
    'a',
  ];
  for (const tree of [wide, deep, long]) {
    const select = createSelect(tree);
    for (const selector of usual) assert.equal(select(selector).problem, undefined, selector);
  }
});

test('all selectors of a page share its steps', () => {
  const select = createSelect(wide, 2_000_000);
  assert.throws(() => {
    for (let n = 0; n < 100; n += 1) select(`.class-${n}`);
  }, SelectorTooComplex);
});

test('a selector of many parts or levels ends, too', () => {
  const select = createSelect(deep);
  const nested = `${':not('.repeat(20_000)}p${')'.repeat(20_000)}`;
  for (const selector of [nested, Array(20_000).fill('p.a b').join(), 'p '.repeat(20_000)]) {
    try {
      assert.ok(Array.isArray(select(selector).nodes));
    } catch (error) {
      assert.ok(error instanceof SelectorTooComplex, String(error));
    }
  }
});
