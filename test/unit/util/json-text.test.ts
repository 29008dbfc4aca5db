// JSON put together from text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText } from '../../../src/util/json-text.ts';

const read = ({ bytes }: JsonText) => JSON.parse(Buffer.from(bytes).toString());

test('parts are joined as bytes, whichever they are', () => {
  const text = new JsonText('{"a":"', Buffer.from('ü'), 'é"}');
  assert.deepEqual(read(text), { a: 'üé' });
});

test('a list of values that are text already ends an object', () => {
  const items = Buffer.from('{"n":1},{"n":2}');
  assert.deepEqual(read(JsonText.withList({ success: true }, 'da"ta', items)), {
    success: true,
    'da"ta': [{ n: 1 }, { n: 2 }],
  });
  assert.deepEqual(read(JsonText.withList({}, 'data', items)), { data: [{ n: 1 }, { n: 2 }] });
  assert.deepEqual(read(JsonText.withList({ a: undefined }, 'data', Buffer.alloc(0))), { data: [] });
});
