import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Field, Typed } from '../../../../web/console/playground/form/field.ts';
import { errorsAt, fieldErrors, ownError } from '../../../../web/console/playground/form/field-errors.ts';
import { fieldsOf } from '../../../../web/console/playground/form/fields.ts';
import type { JsonSchema } from '../../../../web/console/playground/form/json-schema.ts';
import { readBody, readJson, writeJson } from '../../../../web/console/playground/form/json-text.ts';
import { labelOf } from '../../../../web/console/playground/form/label.ts';
import {
  blankOf,
  fits,
  fromLines,
  isSame,
  moved,
  optionsOf,
  settled,
  type TypedEntry,
  toLines,
  typeOf,
  variantOf,
  withEntry,
  withMember,
  withOptions,
  withoutEntry,
} from '../../../../web/console/playground/form/values.ts';
import { OPERATION_INFO } from '../../../../web/console/playground/operations/operations.ts';
import { runs, seedOr } from '../../../support/runs.ts';
import { bodyOf } from './bodies.ts';
import { resolve, SCHEMAS } from './schemas.ts';

const SEED = seedOr(20_261_116);

/** Every property of a schema, by its path; entries of lists are `[]`, of maps `{}`. */
function propertiesOf(given: JsonSchema, root: JsonSchema, path = ''): string[] {
  const schema = resolve(given, root);
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...variants.flatMap((variant) => propertiesOf(variant, root, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      `${path}.${name}`,
      ...propertiesOf(member, root, `${path}.${name}`),
    ]),
    ...(schema.items ? propertiesOf(schema.items, root, `${path}[]`) : []),
  ];
}

/** Every property that a form lets people set. */
function shownBy(fields: readonly Field[], path = ''): string[] {
  return fields.flatMap((field) => [`${path}.${field.name}`, ...shownInside(field, `${path}.${field.name}`)]);
}

function shownInside(field: Field, path: string): string[] {
  switch (field.kind) {
    case 'object':
      return shownBy(field.fields, path);
    case 'union':
      return field.variants.flatMap((variant) => shownInside(variant, path));
    case 'list':
      return shownInside(field.entry, `${path}[]`);
    case 'picks':
    case 'steps':
      return [`${path}[].type`, ...field.types.flatMap(({ fields }) => shownBy(fields, `${path}[]`))];
    default:
      return [];
  }
}

for (const { operation, schema, route } of SCHEMAS) {
  test(`every option of ${operation} is shown by a field, with its help text`, () => {
    const fields = fieldsOf(schema);
    const properties = new Set(propertiesOf(schema, schema));
    assert.deepEqual(
      [...properties].filter((path) => !new Set(shownBy(fields)).has(path)),
      [],
    );
    const sent = Object.keys((route.request as unknown as { shape?: object }).shape ?? schema.properties!);
    const hidden = sent.filter((name) => !fields.some((field) => field.name === name));
    assert.deepEqual(
      hidden.toSorted(),
      ['integration', 'origin', 'stream'].filter((name) => sent.includes(name)),
    );
    assert.deepEqual(
      fields.filter(({ help }) => help === ''),
      [],
    );
  });

  test(`a body of ${operation} is the same after every control has read and written it (seed ${SEED})`, () => {
    const fields = fieldsOf(schema);
    fc.assert(
      fc.property(bodyOf(schema), (body) => {
        assert.deepEqual(rewritten({ fields, body: body as Record<string, unknown> }), body);
        const read = readBody(writeJson(body));
        assert.deepEqual('body' in read && read.body, JSON.parse(JSON.stringify(body)));
      }),
      { seed: SEED, numRuns: runs(100, 2_000) },
    );
  });

  test(`the main field and the common options of ${operation} are options of its contract`, () => {
    const known = new Set(propertiesOf(schema, schema));
    const { main, common } = OPERATION_INFO[operation];
    for (const path of [...(main === undefined ? [] : [main]), ...common]) assert.ok(known.has(`.${path}`), path);
  });
}

function rewritten({ fields, body }: { fields: readonly Field[]; body: Record<string, unknown> }): unknown {
  let written: Readonly<Record<string, unknown>> = body;
  for (const [name, value] of Object.entries(body)) {
    const field = fields.find((each) => each.name === name);
    assert.ok(field, name);
    written = withMember(written, name, writtenBy(field, value));
  }
  return written;
}

/** What the control of a field writes if somebody opens it, touches everything in it, and changes nothing. */
function writtenBy(field: Field, value: unknown): unknown {
  if (!fits(field, value)) return (readJson(writeJson(value)) as { value: unknown }).value;
  switch (field.kind) {
    case 'number':
      return Number(String(value));
    case 'list':
      if (field.entry.kind === 'text') return fromLines(toLines(value as string[]));
      return (value as unknown[]).map((entry) => writtenBy(field.entry, entry));
    case 'object':
      return rewritten({ fields: field.fields, body: value as Record<string, unknown> });
    case 'map':
      return Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, writtenBy(field.value, each)]),
      );
    case 'union':
      return writtenBy(field.variants[variantOf(field.variants, value)]!, value);
    case 'picks':
    case 'steps':
      return (value as TypedEntry[]).map((entry) => typedWritten(field.types, entry));
    case 'json':
      return (readJson(writeJson(value)) as { value: unknown }).value;
    default:
      return value;
  }
}

function typedWritten(types: readonly Typed[], entry: TypedEntry): TypedEntry {
  const typed = types.find(({ type }) => type === typeOf(entry))!;
  const options = rewritten({ fields: typed.fields, body: optionsOf(entry) });
  return withOptions(entry, typed, options as Record<string, unknown>);
}

const fieldsOfOperation = (operation: string) => fieldsOf(SCHEMAS.find((each) => each.operation === operation)!.schema);
const scrapeField = (name: string): Field => fieldsOfOperation('scrape').find((field) => field.name === name)!;

test('the kinds of fields are those that people expect', () => {
  const kinds = Object.fromEntries(fieldsOfOperation('scrape').map(({ name, kind }) => [name, kind]));
  assert.deepEqual(
    [kinds.url, kinds.formats, kinds.onlyMainContent, kinds.waitFor, kinds.proxy, kinds.headers, kinds.actions],
    ['text', 'picks', 'boolean', 'number', 'choice', 'map', 'steps'],
  );
  assert.deepEqual(
    [kinds.includeTags, kinds.location, kinds.redactPII, kinds.parsers],
    ['list', 'object', 'union', 'picks'],
  );
  const searched = Object.fromEntries(fieldsOfOperation('search').map((field) => [field.name, field]));
  const sources = searched.sources as Field & { types: Typed[] };
  assert.deepEqual([sources.kind, sources.types.map(({ type }) => type)], ['picks', ['web', 'news', 'images']]);
  const { types } = scrapeField('formats') as Field & { types: Typed[] };
  const json = types.find(({ type }) => type === 'json')!;
  assert.deepEqual(
    json.fields.map(({ name, kind }) => [name, kind]),
    [
      ['prompt', 'text'],
      ['schema', 'json'],
      ['confidence', 'number'],
      ['checkPromptInjection', 'boolean'],
    ],
  );
  assert.equal(types.find(({ type }) => type === 'question')!.isBare, false);
});

test('only what differs from what the service takes anyway is stored', () => {
  assert.equal(settled(scrapeField('onlyMainContent'), true), undefined);
  assert.equal(settled(scrapeField('onlyMainContent'), false), false);
  assert.equal(settled(scrapeField('waitFor'), 0), undefined);
  assert.equal(settled(scrapeField('maxAge'), 172_800_000), undefined);
  assert.equal(settled(scrapeField('maxAge'), 0), 0);
  assert.equal(settled(scrapeField('includeTags'), []), undefined);
  // No parser at all is not the same as the default.
  assert.deepEqual(settled(scrapeField('parsers'), []), []);
  assert.equal(settled(scrapeField('parsers'), ['pdf']), undefined);
  // Redaction with default options is not the same as none.
  assert.deepEqual(settled(scrapeField('redactPII'), {}), {});
  assert.equal(settled(scrapeField('location'), {}), undefined);
  assert.equal(settled(scrapeField('url'), ''), undefined);
});

test('what a control begins with can be shown by it', () => {
  for (const { schema } of SCHEMAS) {
    for (const field of fieldsOf(schema)) assert.ok(fits(field, blankOf(field)) || field.kind === 'union', field.name);
  }
});

test('entries are replaced, removed and moved without touching the others', () => {
  const list = ['a', 'b', 'c'];
  assert.deepEqual(withEntry(list, 1, 'x'), ['a', 'x', 'c']);
  assert.deepEqual(withoutEntry(list, 0), ['b', 'c']);
  assert.deepEqual(moved(list, 2, -1), ['a', 'c', 'b']);
  assert.deepEqual(moved(list, 0, -1), list);
  assert.ok(isSame({ a: 1, b: [2] }, { b: [2], a: 1 }));
  assert.ok(!isSame({ a: 1 }, { a: 1, b: undefined }));
});

test('a value that no control can show is left as it is', () => {
  const formats = scrapeField('formats');
  assert.ok(fits(formats, ['markdown', { type: 'json', prompt: 'x' }, { type: 'json', prompt: 'y' }]));
  for (const strange of [['soup'], [{ type: 'json', unknown: 1 }], 'markdown', [null], [['markdown']], {}]) {
    assert.ok(!fits(formats, strange), JSON.stringify(strange));
  }
  assert.ok(!fits(scrapeField('includeTags'), ['a\nb']));
  assert.ok(!fits(scrapeField('waitFor'), '5'));
});

test('problems of JSON are said in words, with their line', () => {
  assert.match(
    (readJson('{\n  "a": 1,\n  b\n}') as { problem: string }).problem,
    /^This is not valid JSON in line 3\. /,
  );
  assert.match((readJson('{"a": [1') as { problem: string }).problem, /ends too early/);
  assert.match((readBody('[1]') as { problem: string }).problem, /must be a JSON object/);
  assert.deepEqual(readBody('  '), { body: {} });
});

test('what the service refuses is brought to its field', () => {
  const details = [
    { path: ['formats', 1, 'schema'], message: 'inner', code: 'custom' },
    { path: ['waitFor'], message: 'outer', code: 'too_big' },
    { path: 'nonsense' },
    null,
  ];
  const errors = fieldErrors({ status: 400, body: { success: false, details } });
  assert.equal(errors.length, 2);
  assert.equal(ownError(errorsAt(errors, 'waitFor')), 'outer');
  assert.equal(ownError(errorsAt(errors, 'formats')), undefined);
  assert.equal(ownError(errorsAt(errors, 'formats'), true), 'inner');
  assert.equal(ownError(errorsAt(errorsAt(errorsAt(errors, 'formats'), 1), 'schema')), 'inner');
  assert.deepEqual(fieldErrors({ status: 502, body: { details } }), []);
  assert.deepEqual(fieldErrors(undefined), []);
});

test('names of options read as words', () => {
  assert.equal(labelOf('onlyMainContent'), 'Only main content');
  assert.equal(labelOf('redactPII'), 'Redact PII');
  assert.equal(labelOf('strictConstrainToURLs'), 'Strict constrain to URLs');
  assert.equal(labelOf('regexOnFullURL'), 'Regex on full URL');
  assert.equal(labelOf('__experimental_llmUsage'), 'Experimental: llm usage');
  assert.equal(labelOf('rawHtml'), 'Raw HTML');
});
