// Labels and values as two parts of one element.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { TAG } from '../../../../src/markup/html/tags.ts';
import { sideBySide } from '../../../../src/markup/labels/side-by-side.ts';

function read(html: string) {
  const tree = parseHtml(html);
  for (let node = 1; node < tree.size; node++) if (tree.tag[node] === TAG.div) return sideBySide(tree, node);
  return [];
}

test('a label stands before its value, or below a value with digits', () => {
  assert.deepEqual(read('<div><span>Colour</span><span>Grey</span></div>'), [{ label: 'Colour', value: 'Grey' }]);
  assert.deepEqual(read('<div>Mileage<b>78,500 km</b></div>'), [{ label: 'Mileage', value: '78,500 km' }]);
  assert.deepEqual(read('<div><p>890 €</p><p>Rent</p></div>'), [{ label: 'Rent', value: '890 €' }]);
  assert.deepEqual(read('<div><i>Time</i><b>15</b> <b>minutes</b></div>'), [{ label: 'Time', value: '15 minutes' }]);
});

test('three texts without a number, sentences and single texts are no pair', () => {
  assert.deepEqual(read('<div><a>Home</a><a>Shop</a><a>Help</a></div>'), []);
  assert.deepEqual(read('<div><span>Only one</span></div>'), []);
  assert.deepEqual(read('<div><p>We ship to the whole world every day</p><p>Grey</p></div>'), []);
});
