// Properties again, with as many cases as a full run looks at.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROPERTIES, testFullAmounts, UNITS } from '../support/full-amounts.ts';

testFullAmounts('property', PROPERTIES);

test('every file with such amounts is listed', () => {
  const files = globSync('{property,unit}/**/*.test.ts', { cwd: join(import.meta.dirname, '..') });
  const usesAmounts = (name: string) =>
    /[ (]amount\(/.test(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));
  const found = files.filter((name) => !name.endsWith('.full.test.ts') && usesAmounts(name));
  const listed = [...PROPERTIES.map((name) => `property/${name}`), ...UNITS.map((name) => `unit/${name}`)];
  assert.deepEqual(found.sort(), listed.sort());
});
