// Every adapter has recorded answers, and they are what their names say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROVIDER_NAMES } from '../../../../src/search/providers/provider-names.ts';
import { PROVIDERS } from '../../../../src/search/providers/registry.ts';
import { casesOf, FIXTURES } from '../../../support/provider-server.ts';

const NEEDED = ['full', 'empty', 'partial', 'error', 'quota', 'html', 'truncated'];

/** Matches `part` and `part-…`, because some providers are asked in several steps. */
const has = (titles: string[], part: string) => titles.some((title) => title === part || title.startsWith(`${part}-`));

test('every provider has an adapter under its name', () => {
  assert.deepEqual(
    PROVIDERS.map(({ name }) => name),
    PROVIDER_NAMES,
  );
});

test('every adapter has full, empty, partial, error, quota, HTML and truncated answers', () => {
  const lacking = PROVIDERS.flatMap(({ name }) => {
    const titles = Object.keys(casesOf(name));
    return NEEDED.filter((part) => !has(titles, part)).map((part) => `${name}: ${part}`);
  });
  assert.deepEqual(lacking, []);
});

test('every adapter has a full answer for each further source', () => {
  const lacking = PROVIDERS.flatMap(({ name, sources }) => {
    const titles = Object.keys(casesOf(name));
    return sources
      .slice(1)
      .filter((source) => !titles.includes(`full-${source}`))
      .map((source) => `${name}: full-${source}`);
  });
  assert.deepEqual(lacking, []);
});

test('JSON fixtures parse, and truncated ones do not', () => {
  for (const { name } of PROVIDERS) {
    for (const [title, { file }] of Object.entries(casesOf(name))) {
      const text = readFileSync(join(FIXTURES, name, file), 'utf8');
      if (title.startsWith('truncated')) assert.throws(() => JSON.parse(text), `${name}/${file}`);
      else if (title.startsWith('html')) assert.match(text, /^\s*</, `${name}/${file}`);
      else if (file.endsWith('.json')) assert.doesNotThrow(() => JSON.parse(text), `${name}/${file}`);
    }
  }
});
