// Wrong versions of a JSON value and of its text: what clients with faults, and attackers, send.
import fc from 'fast-check';

export interface SentBody {
  text: string;
  type: string;
}

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** Written into the text by hand: not all of them can be written by JSON.stringify. */
const ODD_JSON = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '-1e-999',
  '9007199254740993',
  '0.1',
  '""',
  '[]',
  '{}',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u0000"',
  '"\\u202e\\u200b\\ufeff"',
  '"NaN"',
  '"Infinity"',
  '"undefined"',
  '"[object Object]"',
  '"__proto__"',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3}',
  '[{"toString":1,"valueOf":2}]',
  '{"length":1e9}',
  '{"then":"x"}',
  '[null]',
  '[[[[]]]]',
  '{"type":null}',
  '{"type":{}}',
  '{"0":"a"}',
  '{"":""}',
  '"http://"',
  '"//"',
  '"data:,x"',
  '"\\\\\\\\host\\\\share"',
  '"%"',
  '"%00"',
  '"../../etc/passwd"',
  '"{{7*7}}"',
  '"\';--"',
  `"${'x'.repeat(20_000)}"`,
  `"${'é🙂'.repeat(3_000)}"`,
  `[${'0,'.repeat(3_000)}0]`,
  deep(60, '[', ']'),
  deep(2_000, '[', ']'),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
  `{${Array.from({ length: 1_500 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
];

/** Replaces, removes or adds one value somewhere inside. */
type Edit = { at: number; with: string; how: 'replace' | 'remove' | 'add' | 'wrap' | 'rename' };

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(1_000),
    with: fc.constantFrom(...ODD_JSON),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'rename'),
  }),
  { minLength: 1, maxLength: 2 },
);

/** Stands for a text of ODD_JSON until the value is serialised. */
const MARK = '\u{f0000}';

function edit(value: unknown, { at, with: odd, how }: Edit, marks: string[]): unknown {
  const places: (readonly [holder: Record<string, unknown>, name: string])[] = [];
  const collect = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [name, field] of Object.entries(holder)) {
      places.push([holder as Record<string, unknown>, name]);
      collect(field);
    }
  };
  const root = { value };
  collect(root);
  const [holder, name] = places[at % places.length]!;
  marks.push(odd);
  const mark = `${MARK}${marks.length - 1}${MARK}`;
  if (how === 'remove') delete holder[name];
  else if (how === 'wrap') holder[name] = [holder[name], mark];
  else if (how === 'add' && typeof holder[name] === 'object' && holder[name] !== null)
    Object.assign(holder[name], { [`more${at}`]: mark });
  else if (how === 'rename') {
    holder[`${name}\u0000__proto__`] = holder[name];
    delete holder[name];
  } else holder[name] = mark;
  return root.value;
}

function editedText(value: unknown, list: Edit[]): string {
  const marks: string[] = [];
  const edited = list.reduce((current, next) => edit(current, next, marks), structuredClone(value));
  const text = JSON.stringify(edited) ?? '';
  return text.replaceAll(new RegExp(`"${MARK}(\\d+)${MARK}"`, 'gu'), (_, index) => marks[Number(index)]!);
}

type TextFault = (text: string, at: number) => string;

const TEXT_FAULTS: TextFault[] = [
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text, at) => text.slice(0, at % (text.length + 1)) + String.fromCharCode(at) + text.slice(at % (text.length + 1)),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `${text} // comment`,
  (text) => text.replace('{', '{"url":"http://news.test/","url":5,'),
  (text) => text.replace('{', '{"__proto__":{"url":"http://news.test/"},'),
  (text) => text.replaceAll('"', "'"),
  () => '',
  () => 'NaN',
  () => '\u0000\u0001\u0002',
];

const TYPES = [
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;',
  'application/vnd.x+json',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  '',
];

const JSON_TYPE = 'application/json';

/** Bodies made from valid ones: as they are, edited as JSON, broken as text, or labelled with another type. */
export function bodiesFrom(values: fc.Arbitrary<unknown>): fc.Arbitrary<SentBody> {
  const valid = values.map((value) => ({ text: JSON.stringify(value) ?? '', type: JSON_TYPE }));
  const edited = fc.tuple(values, edits).map(([value, list]) => ({ text: editedText(value, list), type: JSON_TYPE }));
  const broken = fc
    .tuple(valid, fc.constantFrom(...TEXT_FAULTS), fc.nat(0xffff))
    .map(([{ text }, fault, at]) => ({ text: fault(text, at), type: JSON_TYPE }));
  const mistyped = fc.tuple(valid, fc.constantFrom(...TYPES)).map(([{ text }, type]) => ({ text, type }));
  return fc.oneof(
    { weight: 10, arbitrary: valid },
    { weight: 8, arbitrary: edited },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: mistyped },
  );
}

/** Odd texts for places that are texts already: path parameters, query values, header values. */
export const ODD_TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '../..',
  '%00',
  '%',
  '%ff%fe',
  '%2e%2e%2f',
  '\u0000',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e9',
  '1.5',
  '١٢',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '🙂',
  'a/b',
  'a?b',
  'a#b',
  'a b',
  '<script>',
  "'; DROP TABLE pages;--",
  '{{x}}',
  '*',
  '(a+)+$',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  'x'.repeat(300),
  'x'.repeat(5_000),
];
