// The OpenAPI file is valid and up to date, and so are the generated tables of the documentation.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApi } from '../scripts/docs/openapi.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { ROUTES, type Route } from '../src/contracts/routes.ts';

const root = join(import.meta.dirname, '..');

test('the OpenAPI description is valid 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(buildOpenApi());
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(validator.version, '3.1');
});

test('the OpenAPI description contains every route', () => {
  const { paths } = buildOpenApi() as { paths: Record<string, Record<string, { operationId: string }>> };
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const named = Object.entries<Route>(ROUTES).map(([key, { operationId = key }]) => operationId);
  assert.deepEqual(described.sort(), named.sort());
});

test('the generated parts of docs/ are up to date', () => {
  execFileSync(process.execPath, [join(root, 'scripts/docs/write.ts'), '--check'], { stdio: 'pipe' });
});

test('every setting is documented', () => {
  const text = readFileSync(join(root, 'docs/operate/settings.md'), 'utf8');
  for (const { env } of Object.values(SETTINGS)) assert.ok(text.includes(`\`${env}\``), env);
});

test('every source file that the documentation names exists', () => {
  const missing: string[] = [];
  for (const page of globSync('{*.md,docs/*/*.md,bench/README.md}', { cwd: root })) {
    const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```/gms, '');
    for (const [, name] of text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|json|sql))`/g)) {
      const isThere = ['', 'src', 'src/operations', 'src/api', 'src/index'].some((folder) =>
        existsSync(join(root, folder, name!)),
      );
      const isPlaceholder = /\b[A-Z]{2,}\b/.test(name!);
      if (!isThere && !isPlaceholder && page !== 'CHANGELOG.md') missing.push(`${page}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});
