// The version of an index follows from what shapes its contents, so a change of that rebuilds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaVersion, schemaVersionFor } from '../../../src/index/index-schema.ts';
import { createPageAnalyser } from '../../../src/index/ingest/analyse-page.ts';
import { analysedSample, preparedSamples } from '../../../src/index/ingest/analysis-sample.ts';
import {
  indexName,
  schemaVersionFor as openSearchVersionFor,
} from '../../../src/index/opensearch/engine/page-mapping.ts';
import { FIELD_WEIGHTS, STORED_IN_OPENSEARCH, STORED_WEIGHTS } from '../../../src/index/ranking/ranking-weights.ts';

type Weights = Record<string, Record<string, number>>;

/** The same weights with one of them changed, for each of them. */
const eachChanged = (weights: Weights): [string, Weights][] =>
  Object.entries(weights).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]): [string, Weights] => [
      `${group}.${name}`,
      { ...weights, [group]: { ...values, [name]: value + 1 } },
    ]),
  );

test('a stored weight that changes gives the embedded index another version', () => {
  const changed = eachChanged(STORED_WEIGHTS);
  assert.equal(changed.length, 7);
  for (const [name, weights] of changed) assert.notEqual(schemaVersionFor(weights), schemaVersion(), name);
});

test('a weight that OpenSearch stores and that changes gives its index another name', () => {
  const current = indexName('x').slice('x-pages-v'.length);
  assert.equal(openSearchVersionFor(STORED_IN_OPENSEARCH), current);
  const changed = eachChanged(STORED_IN_OPENSEARCH);
  assert.equal(changed.length, 13);
  for (const [name, weights] of changed) assert.notEqual(openSearchVersionFor(weights), current, name);
});

test('the version is the same whatever was analysed before, and fits into the header of the file', () => {
  const before = schemaVersionFor(STORED_WEIGHTS);
  createPageAnalyser().analyse({
    ...{ url: 'https://a.example/', title: 'Other running words', description: '', headings: '' },
    ...{ body: 'dying seals, guides and walruses', language: 'en', images: [] },
  });
  assert.equal(schemaVersionFor(STORED_WEIGHTS), before);
  assert.ok(before > 0 && before < 2 ** 31);
});

test('the sample shows the weight of every field', () => {
  const [{ analysis } = assert.fail()] = preparedSamples(createPageAnalyser());
  const { vocabulary, termIds, weights } = analysis.terms;
  const weightOf = new Map([...termIds].map((id, at) => [vocabulary[id]!, weights[at]!]));
  assert.equal(weightOf.get('walrus'), FIELD_WEIGHTS.title);
  assert.equal(weightOf.get('wild'), FIELD_WEIGHTS.headings);
  assert.equal(weightOf.get('happili'), FIELD_WEIGHTS.body);
  assert.equal(weightOf.get('shoe'), FIELD_WEIGHTS.url);
  assert.match(JSON.stringify(analysedSample()), /"walru[^"]*\|5"/, 'title and link text');
});
