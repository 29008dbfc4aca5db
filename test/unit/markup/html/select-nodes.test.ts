import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { createSelect } from '../../../../src/markup/html/select-nodes.ts';

const tree = parseHtml(
  '<main id="m"><p class="a b">1</p><P class="ab">2</P><ul><li>3<li class="b">4<li>5</ul><a href="/x.pdf">6</a><iframe src="/f"></iframe></main>',
);
const select = createSelect(tree);
const texts = (selector: string) =>
  select(selector).nodes.map((node) => {
    let text = '';
    for (let at = node; at < tree.end[node]!; at++) text += tree.text(at);
    return text;
  });

test('bare tags, classes and ids match whole names, tags in any case', () => {
  assert.deepEqual(texts('p'), ['1', '2']);
  assert.deepEqual(texts('P'), ['1', '2']);
  assert.deepEqual(texts('.b'), ['1', '4']);
  assert.deepEqual(texts('#m'), ['123456']);
  assert.equal(select('iframe').nodes.length, 1);
});

test('compound selectors match as in CSS, in document order', () => {
  assert.deepEqual(texts('li.b, p:first-child'), ['1', '4']);
  assert.deepEqual(texts('main > ul > li:nth-child(2)'), ['4']);
  assert.deepEqual(texts('li:not(.b)'), ['3', '5']);
  assert.deepEqual(texts('a[href$=".pdf"]'), ['6']);
  assert.deepEqual(texts('li + li'), ['4', '5']);
  assert.deepEqual(texts('ul:has(.b) li:last-child'), ['5']);
  assert.deepEqual(texts('html > body main p.a'), ['1']);
});

test('a selector that is not CSS matches nothing and reports the problem', () => {
  for (const selector of ['p[[', '..', '', 'a::before', ':unknown-thing', '>>>', '!!']) {
    const { nodes, problem } = select(selector);
    assert.deepEqual(nodes, [], selector);
    assert.equal(typeof problem, 'string', selector);
  }
});

test('selectors work on a page of 100,000 nodes', () => {
  const large = createSelect(parseHtml('<p class="x y">t</p>'.repeat(50_000)));
  assert.equal(large('.y').nodes.length, 50_000);
  assert.equal(large('p').nodes.length, 50_000);
  assert.equal(large('p.x > b').nodes.length, 0);
});
