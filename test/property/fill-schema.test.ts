// Any JSON is judged as a schema without a crash, and whatever passes can be filled from any page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PageSource } from '../../src/page/understanding.ts';
import { fillSchema } from '../../src/understand/json/json-work.ts';
import { readSchema } from '../../src/understand/json/schema/read-schema.ts';
import { schemaProblem } from '../../src/understand/json/schema/schema-problem.ts';
import { compileValidator } from '../../src/understand/json/schema/validator.ts';
import { amount, seedOr } from '../support/runs.ts';
import { dataOf } from '../support/structured-data.ts';

const SEED = seedOr(20_261_116);

const name = fc.constantFrom(
  'title',
  'price',
  'author',
  'date',
  'tags',
  'rows',
  'inStock',
  '__proto__',
  'constructor',
  '',
  'x y',
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', ['string', 'null']) }),
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('date', 'uri', 'email', 'date-time', 'nonsense'),
    }),
    fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 5 }),
      required: fc.array(name, { maxLength: 3 }),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.constant({ $ref: '#' }),
    fc.jsonValue(),
  ),
}));

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('1.299,00 €', '3 May 2026', 'By Ann | 7 min read', '4 rooms', 'Price: $5', '<', '\\['),
);
const html = fc
  .array(
    fc.tuple(
      fc.constantFrom('p', 'li', 'h1', 'dt', 'dd', 'td', 'del', 'time'),
      fc.constantFrom('price', 'title', 'row', 'a b'),
      text,
    ),
  )
  .map((parts) => parts.map(([tag, names, inner]) => `<${tag} class="${names}">${inner}</${tag}>`).join(''));

test(`any schema is refused in words or can be filled from any page (seed ${SEED})`, () => {
  const property = fc.property(schema, html, fc.array(text), (given, page, lines) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
    const asked = given as Record<string, unknown>;
    const problem = schemaProblem(asked);
    if (problem !== undefined) {
      assert.match(problem, /\w/);
      return;
    }
    const source: PageSource = {
      url: 'https://a.example/',
      markdown: lines.join('\n'),
      html: page,
      data: dataOf(page),
    };
    const { value, problems, citations } = fillSchema(asked, source, { confidence: 0.5 });
    // Whatever claims to be valid is valid.
    if (value !== undefined && problems.length === 0) assert.deepEqual(compileValidator(readSchema(asked))(value), []);
    for (const { text: cited, start, end } of Object.values(citations)) {
      assert.equal(source.markdown.slice(start, end), cited);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: amount({ short: 50, full: 150, long: 5_000 }) });
});
