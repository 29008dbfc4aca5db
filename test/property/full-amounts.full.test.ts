// The properties and hostile inputs of other files again, with as many and as large cases as a full run looks at.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isLong, useFullAmounts } from '../support/runs.ts';

const FILES = [
  './budgets.test.ts',
  './contracts.test.ts',
  './fill-schema.test.ts',
  './index-entry.test.ts',
  './index-search.test.ts',
  './inverted-index.test.ts',
  './line-diff.test.ts',
  './markdown-html.test.ts',
  './media.test.ts',
  './net-address-rules.test.ts',
  './net-text.test.ts',
  './redaction.test.ts',
  './robots.test.ts',
  './schedule.test.ts',
  './search-query.test.ts',
  './text.test.ts',
  './transform-html.test.ts',
  '../unit/console/playground/snippets.test.ts',
  '../unit/transform/hostile.test.ts',
  '../unit/transform/pipeline.test.ts',
  '../unit/transform/verdict/judge.test.ts',
  '../unit/understand/injection/find-injection.test.ts',
];

useFullAmounts();

describe('with the amounts of a full run', {
  skip: isLong && 'a long run looks at more in the files themselves',
}, () => {
  for (const file of FILES) {
    // Another address is another module, so its tests are declared again, here.
    describe(file, () => import(`${file}?full`));
  }
});

test('every file with such amounts is listed', () => {
  const files = globSync('../{property,unit}/**/*.test.ts', { cwd: import.meta.dirname });
  const usesAmounts = (name: string) => /[ (]amount\(/.test(readFileSync(join(import.meta.dirname, name), 'utf8'));
  const found = files.filter((name) => !name.endsWith('.full.test.ts') && usesAmounts(name));
  assert.deepEqual(found.map((name) => name.replace('../property', '.')).sort(), FILES.toSorted());
});
