// JSON that would block the event loop is refused before it is parsed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBoundedJson } from '../../../../src/api/bodies/bounded-json.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';

const parse = (text: string) => parseBoundedJson(Buffer.from(text), JSON.parse);
const fields = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();

const ACCEPTED: Record<string, string> = {
  'a batch of 100,000 URLs': `{"urls":[${Array(100_000).fill('"https://example.com/a,b:c"').join()}]}`,
  'signs in texts': `{"text":${JSON.stringify('[{:,"\\'.repeat(300_000))}}`,
  'a text of backslashes': JSON.stringify('\\'.repeat(100_001)),
  'seventy levels': '['.repeat(70) + ']'.repeat(70),
  'objects of 1,000 fields': `[${Array(15)
    .fill(`{${fields(1_000)}}`)
    .join()}]`,
  'a scalar': ' 5 ',
};

const REFUSED: Record<string, string> = {
  'five million levels': '['.repeat(5_000_000),
  'levels of objects': `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  'three million empty lists': `[${'[],'.repeat(3_000_000)}[]]`,
  'a million numbers': `[${'1,'.repeat(1_000_000)}1]`,
  '600,000 fields': `{"headers":{${fields(600_000)}}}`,
  'many objects with many fields': `[${Array(30)
    .fill(`{${fields(1_000)}}`)
    .join()}]`,
  'levels after an escaped quote': `["\\\\","\\"",${'['.repeat(100)}`,
};

for (const [what, text] of Object.entries(ACCEPTED)) {
  test(`${what}: accepted`, async () => assert.deepEqual(await parse(text), JSON.parse(text)));
}

for (const [what, text] of Object.entries(REFUSED)) {
  test(`${what}: refused before it is parsed`, async () => {
    const parsed = parseBoundedJson(Buffer.from(text), () => assert.fail('it was parsed'));
    await assert.rejects(parsed, (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'BAD_REQUEST');
      assert.match(error.message, /^The JSON is too complex\. It may have 72 levels/);
      return true;
    });
  });
}

test('what is not JSON is left to the parser', async () => {
  for (const text of ['', '{', '"a', ']]]', '"\\"', '{"a":}', '\\'.repeat(10)])
    await assert.rejects(parse(text), SyntaxError);
});

test('a text of escaped quotes is looked through in slices', async () => {
  const text = JSON.stringify('"'.repeat(500_000));
  let turns = 0;
  const next = async () => {
    turns += 1;
  };
  await parseBoundedJson(Buffer.from(text), JSON.parse, { isOver: () => true, next });
  assert.ok(turns > text.length / 20_000, `${turns} turns`);
});
