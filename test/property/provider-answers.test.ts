// However an answer is damaged, an adapter returns results with an address or throws a ProviderProblem.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Conditions, Source } from '../../src/contracts/search/search-query.ts';
import { ProviderProblem } from '../../src/search/providers/provider-problem.ts';
import { PROVIDERS } from '../../src/search/providers/registry.ts';
import { casesOf, FIXTURES, question } from '../support/provider-server.ts';
import { runs, seedOr } from '../support/runs.ts';

const RUNS = { seed: seedOr(20261115), numRuns: runs(60, 1_200) };

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1e300,
    '',
    '<b>',
    '&#x110000;',
    '\ud800',
    'javascript:1',
    'https://',
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Replaces the parts at these positions, counted in reading order. */
function damaged(value: unknown, damages: ReadonlyMap<number, unknown>): unknown {
  let position = 0;
  const walk = (part: unknown): unknown => {
    const here = position++;
    if (damages.has(here)) return damages.get(here);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

/** Catalogues of papers and GitHub read the same answers in more depth if papers or code are wanted. */
const DEPTHS: readonly Partial<Conditions>[] = [
  {},
  { papers: {} },
  { papers: { ref: { namespace: 'doi', value: '10.1000/x' } } },
  { code: { kind: 'issue', repos: [], topics: [] } },
  { code: { kind: 'readme', repos: [], topics: [] } },
];

for (const provider of PROVIDERS) {
  const wholes = Object.entries(casesOf(provider.name)).filter(
    ([title, { file }]) => title.startsWith('full') && file.endsWith('.json'),
  );
  if (wholes.length === 0) continue;

  test(`${provider.name}: a damaged answer never breaks its adapter`, async () => {
    for (const [title, { file }] of wholes) {
      const whole = JSON.parse(readFileSync(join(FIXTURES, provider.name, file), 'utf8'));
      const named = title.slice('full-'.length) as Source;
      const source = provider.sources.includes(named) ? named : provider.sources[0]!;
      const damages = fc.array(fc.tuple(fc.nat(80), junk), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(damages, fc.constantFrom(...DEPTHS), async (list, conditions) => {
          const answer = damaged(whole, new Map(list));
          const ask = {
            json: async () => answer,
            text: async () => ({ status: 200, headers: {}, text: JSON.stringify(answer) }),
          };
          const context = { url: 'https://provider.example', key: 'key', ask, signal: AbortSignal.timeout(60_000) };
          try {
            const { results, hasMore } = await provider.search(
              question('tide tables', { source, conditions }),
              context,
            );
            assert.equal(typeof hasMore, 'boolean');
            for (const { url, title, description, imageUrl, imageWidth = 1, imageHeight = 1 } of results) {
              assert.match(url, /^https?:\/\/./);
              assert.ok(title.isWellFormed() && description.isWellFormed());
              assert.ok(imageWidth > 0 && imageHeight > 0);
              if (source === 'images') assert.match(imageUrl ?? '', /^https?:\/\/./);
            }
          } catch (error) {
            if (!(error instanceof ProviderProblem)) throw error;
          }
        }),
        RUNS,
      );
    }
  });
}
