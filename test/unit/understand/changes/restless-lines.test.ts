// Lines that are others at every look: what is learnt from the history of a page, and what always counts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareTexts } from '../../../../src/understand/changes/compare-texts.ts';
import type { ComparedText } from '../../../../src/understand/changes/compared-text.ts';

const page = (line: string, more = 'A text that stays.') =>
  `# The harbour of Brest\n\n${more}\n\n${line}\n\nThe end.\n`;

/** Whether each look after the first one finds the page changed. */
function follow(texts: readonly string[], goal?: string): boolean[] {
  let version: ComparedText | undefined;
  return texts
    .map((text) => {
      const { toKeep, isSame } = compareTexts(version, text, {
        wantsDiff: true,
        restless: { ...(goal !== undefined && { goal }) },
      });
      version = toKeep;
      return !isSame;
    })
    .slice(1);
}

const CHANGED_THREE_TIMES = [true, true, true, false, false];
const ALWAYS = [true, true, true, true, true];

const RESTLESS: Record<string, string[]> = {
  'a counter': ['Vues : 1 203', 'Vues : 1 210', 'Vues : 1 388', 'Vues : 1 401', 'Vues : 2 010', 'Vues : 2 044'],
  'a counter of something unknown': ['31 ships passed', '40 ships passed', '52', '60', '71', '93'].map((number) =>
    number.includes('ships') ? number : `${number} ships passed`,
  ),
  'a reading': ['14.2', '13.9', '14.1', '14.0', '15.2', '13.1'].map((number) => `Wind: ${number}`),
  'a clock': ['09:14', '11:02', '08:59', '23:10', '00:01', '04:44'].map((time) => `Made at ${time}`),
  'a token': ['a81bf2', '99c0de', 'f00ba4', '1dea57', 'c0ffe3', 'b0a7e5'].map((token) => `Trace ${token}`),
  'one of three quotations in turn': [
    'One man rows.',
    'Two men row.',
    'One man rows.',
    'All rest.',
    'Two men row.',
    'Some sing.',
  ],
};

describe('what moves at three looks in a row no longer counts', () => {
  for (const [what, lines] of Object.entries(RESTLESS))
    test(what, () => assert.deepEqual(follow(lines.map((line) => page(line))), CHANGED_THREE_TIMES));
});

const COUNTS: Record<string, string[]> = {
  'a price': ['€20', '€25', '€19', '€30', '€22', '€40'].map((price) => `Now ${price}`),
  availability: ['In stock', 'Sold out', 'In stock', 'Sold out', 'In stock', 'Sold out'],
  'a version': ['1.2.3', '1.2.4', '1.3.0', '2.0.0', '2.1.0', '3.0.0'].map((number) => `Release ${number}`),
  'places that are left': [
    '12 seats left',
    '10 seats left',
    '7 seats left',
    '5 seats left',
    '3 seats left',
    '1 seats left',
  ],
  'the next issue': ['12', '13', '14', '15', '16', '17'].map((number) => `Issue ${number}`),
  'what the page is about': ['3.2', '4.1', '3.9', '4.4', '2.8', '3.3'].map(
    (number) => `Water in the harbour: ${number}`,
  ),
  'news that do not come back': ['Storm ahead', 'Bridge opened', 'Mayor resigns', 'New ferry', 'Fish is rare', 'Ice'],
  'a table': ['1', '5', '9', '14', '20', '31'].map(
    (number) => `| Berth | Boats |\n| --- | --- |\n| East | ${number} |`,
  ),
  'a heading': ['12', '17', '29', '31', '45', '50'].map((number) => `## ${number} boats`),
};

describe('what somebody may watch a page for always counts', () => {
  for (const [what, lines] of Object.entries(COUNTS))
    test(what, () => assert.deepEqual(follow(lines.map((line) => page(line))), ALWAYS));

  test('what the goal asks for', () =>
    assert.deepEqual(
      follow(
        RESTLESS['a counter of something unknown']!.map((line) => page(line)),
        'How many ships?',
      ),
      ALWAYS,
    ));
});

const counter = (number: number, more?: string) => page(`${number} ships passed`, more);
const learnt = [10, 20, 30, 40].map((number) => counter(number));

test('a real change beside it counts, and its diff shows nothing else', () => {
  let version: ComparedText | undefined;
  for (const text of learnt) version = compareTexts(version, text, { wantsDiff: false, restless: {} }).toKeep;
  const found = compareTexts(version, counter(50, 'Another text.'), { wantsDiff: true, restless: {} });
  assert.equal(found.isSame, false);
  assert.deepEqual(found.restless?.lines, ['50 ships passed']);
  const changes = found.diff!.json.files[0]!.chunks.flatMap((chunk) => chunk.changes);
  assert.deepEqual(
    changes.filter(({ type }) => type !== 'normal').map(({ content }) => content),
    ['-A text that stays.', '+Another text.'],
  );
  const next = compareTexts(found.toKeep, counter(60, 'Another text.'), { wantsDiff: true, restless: {} });
  assert.equal(next.isSame, true);
});

test('a line that rests before it is known begins anew; one that is known may rest', () => {
  const looks = [10, 20, 30, 30, 40, 50, 60, 70].map((number) => counter(number));
  assert.deepEqual(follow(looks), [true, true, false, true, true, true, false]);
  assert.deepEqual(follow([...learnt, counter(40), counter(50)]), [true, true, true, false, false]);
});

test('lines above that come and go do not matter', () => {
  const looks = [counter(10), counter(20, 'More.\n\nAnd more.'), counter(30), counter(40, 'More.\n\nAnd more.')];
  assert.deepEqual(follow([...looks, counter(50, 'More.\n\nAnd more.')]), [true, true, true, false]);
});

test('without being asked to, nothing is left out', () => {
  let version: ComparedText | undefined;
  for (const text of [...learnt, counter(50)]) {
    const found = compareTexts(version, text, { wantsDiff: false });
    assert.equal(found.isSame, false);
    version = found.toKeep;
  }
  assert.equal(version?.moving, undefined);
});

test('hostile pages take linear time: many lines, long lines, many that move', () => {
  const many = (seed: number) =>
    Array.from({ length: 20_000 }, (_, index) => `${index * seed} ships`)
      .join('\n\n')
      .slice(0, 1_900_000);
  follow([many(3), many(5), many(7), many(9), many(11)]);
  const few = (seed: number) =>
    Array.from({ length: 200 }, (_, index) => `${index * seed} ${'a1 '.repeat(300)}`).join('\n\n');
  follow([few(3), few(5), few(7), few(9), few(11)]);
});
