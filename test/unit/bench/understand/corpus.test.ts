// The labelled corpus of the understanding bench: its size, its split by template, and that truths fit their schemas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { heldOutPages } from '../../../../bench/understand/held-out/held-out.ts';
import type { Truth } from '../../../../bench/understand/labelled-page.ts';
import { openPages } from '../../../../bench/understand/open/open.ts';

const all = [...openPages, ...heldOutPages];

test('the corpus has the promised pages, at most five of a template, and no template in both halves', () => {
  const counts = Object.fromEntries(
    [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]),
  );
  for (const [kind, promised] of Object.entries({ shop: 60, article: 40, event: 30, recipe: 30, listing: 40 })) {
    assert.ok(counts[kind]! >= promised, kind);
  }
  // The open half grows; what is held out stays as it was.
  assert.equal(heldOutPages.length, 100);
  assert.ok(openPages.length >= heldOutPages.length);
  for (const [template, some] of Map.groupBy(all, (page) => page.template)) {
    assert.ok(some.length <= 5, template);
    assert.ok(new Set(some.map((page) => openPages.includes(page))).size === 1, template);
  }
  assert.equal(new Set(all.map(({ url }) => url)).size, all.length);
});

test('every truth fits its schema, and every field that JSON-LD is said to have exists', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false });
  for (const page of all) {
    const truth = page.expected[''] ?? page.expected;
    assert.ok(ajv.validate(page.schema, plain(truth)), `${page.url}: ${ajv.errorsText()}`);
    for (const path of page.jsonLd) assert.ok(has(page.expected, path), `${page.template}: ${path}`);
  }
});

/** The first of several right values; what is not stated is left out. */
function plain(truth: Truth): unknown {
  if (truth === null || typeof truth !== 'object') return truth ?? undefined;
  if (Array.isArray(truth)) return truth.map(plain);
  if ('anyOf' in truth) return plain((truth.anyOf as Truth[]).find((one) => one !== null)!);
  const entries = Object.entries(truth).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]));
}

function has(truth: Truth, path: string): boolean {
  const [name, ...rest] = path.split(/\.|(?=\[\]\.)/);
  if (name === '[]') return (truth as Truth[]).every((one) => has(one, rest.join('.')));
  const value = (truth as Record<string, Truth>)[name!];
  return value !== undefined && (rest.length === 0 || has(value, rest.join('.')));
}
