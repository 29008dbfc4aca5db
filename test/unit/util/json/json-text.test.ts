// JSON composed from text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { continued, JsonText } from '../../../../src/util/json/json-text.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const read = ({ bytes }: JsonText) => JSON.parse(Buffer.from(bytes).toString());

test('strings and bytes are joined as bytes', () => {
  const text = new JsonText('{"a":"', Buffer.from('ü'), 'é"}');
  assert.deepEqual(read(text), { a: 'üé' });
});

test('a list of serialised values can end an object', () => {
  const items = Buffer.from('{"n":1},{"n":2}');
  assert.deepEqual(read(JsonText.withList({ success: true }, 'da"ta', items)), {
    success: true,
    'da"ta': [{ n: 1 }, { n: 2 }],
  });
  assert.deepEqual(read(JsonText.withList({}, 'data', items)), { data: [{ n: 1 }, { n: 2 }] });
  assert.deepEqual(read(JsonText.withList({ a: undefined }, 'data', Buffer.alloc(0))), { data: [] });
});

test('an answer is written around its list where there is room, and joined where there is not', () => {
  for (const room of [0, 1, 11, 12, 100]) {
    const buffer = Buffer.alloc(8 + 2 * room, 'x');
    const json = buffer.subarray(room, room + 8);
    json.write('"a","ü"');
    const text = JsonText.aroundList({ n: 1 }, 'data', { json, room });
    assert.equal(Buffer.from(text.bytes).toString(), '{"n":1,"data":["a","ü"]}', `${room} bytes of room`);
    assert.equal(text.bytes.buffer === buffer.buffer, room >= '{"n":1,"data":['.length, `${room} bytes of room`);
  }
});

test('a long list is serialised in slices to the same text', async () => {
  for (const count of [0, 1, 500, 501, 2_000]) {
    const list = Array.from({ length: count }, (_, n) => ({ n, text: '",[' }));
    const { bytes } = await JsonText.inSlices({ success: true }, 'list', list);
    assert.equal(Buffer.from(bytes).toString(), JSON.stringify({ success: true, list }));
  }
});

const SEED = seedOr(20260105);

test(`members appended to a serialised object give the same text as serialising the whole (seed ${SEED})`, () => {
  const object = fc.dictionary(
    fc.string({ unit: 'binary' }).map((name) => `a${name}`),
    fc.jsonValue(),
  );
  const more = fc.dictionary(fc.constantFrom('b', 'b ü'), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(object, more, (first, second) => {
      const text = Buffer.concat(continued(Buffer.from(JSON.stringify(first)), JSON.stringify(second))).toString();
      assert.equal(text, Buffer.from(JSON.stringify({ ...first, ...second })).toString());
    }),
    { seed: SEED, numRuns: runs(300, 6_000) },
  );
});
