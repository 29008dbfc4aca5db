// The OpenAPI file is valid and up to date, and so are the generated tables of the documentation.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildDialectsOpenApi } from '../scripts/docs/dialects-openapi.ts';
import { buildOpenApi } from '../scripts/docs/openapi.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { CHAPTERS } from '../src/contracts/manual.ts';
import { ROUTES, type Route } from '../src/contracts/routes.ts';

const root = join(import.meta.dirname, '..');
const DOCUMENTS = globSync('{*.md,docs/*/*.md,docs/*.md,bench/**/*.md,src/**/*.md}', { cwd: root });
/** Links that stay in the project: with a path, an anchor or both. */
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g;
/** What names chapters: code, the files for operators, and the documents themselves. */
const NAMING = [
  '{src,web,bin,scripts,demo,deploy,bench}/**/*.{ts,tsx,mjs,html,json,md,service}',
  'docs/**/*.{md,json}',
  '*.{md,yaml}',
  'Dockerfile',
];
const GROUPS = [...new Set(CHAPTERS.map((name) => dirname(name)))];
/** `docs/use/start.md`, `/console/manual/use/start`, `trawl://docs/use/start`, with an anchor or without, and former names. */
const CHAPTER_ADDRESS = new RegExp(
  String.raw`(?<![\w.-])(?:docs|console/manual)/((?:${GROUPS.join('|')})/[\w-]+|\d+-[a-z-]+)(?:\.md)?(?:#([\w-]+))?`,
  'g',
);

test('the OpenAPI descriptions are valid 3.1', async () => {
  for (const description of [await buildOpenApi(), await buildDialectsOpenApi()]) {
    const validator = new Validator();
    const result = await validator.validate(description);
    assert.deepEqual(result.errors ?? [], []);
    assert.equal(validator.version, '3.1');
  }
});

test('the OpenAPI file is small enough to be read at once', () => {
  assert.ok(statSync(join(root, 'docs/openapi.json')).size < 800_000);
});

test('the OpenAPI description contains every route', async () => {
  const { paths } = (await buildOpenApi()) as { paths: Record<string, Record<string, { operationId: string }>> };
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
  for (const page of DOCUMENTS) {
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

test('every chapter of the manual has its place in the reading order, and nothing else has one', () => {
  const files = globSync('**/*.md', { cwd: join(root, 'docs'), exclude: ['decisions/**'] });
  assert.deepEqual(files.sort(), CHAPTERS.map((name) => `${name}.md`).sort());
});

test('every link between documents leads to a file and a heading that exist', () => {
  const broken: string[] = [];
  for (const page of DOCUMENTS) {
    for (const [, target] of withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(LINK)) {
      const [path = '', anchor] = target!.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      const isThere = existsSync(join(root, file)) && !file.startsWith('..');
      if (!isThere || (anchor !== undefined && !anchorsOf(file).has(anchor))) broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('every chapter that a message, a page of the console or another file names exists, under its name of today', () => {
  const named = globSync(NAMING, { cwd: root, exclude: ['**/built/**', '**/node_modules/**'] }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(CHAPTER_ADDRESS)].map(([, chapter, anchor]) => ({
      ...{ file, chapter: chapter!, anchor },
    })),
  );
  assert.ok(named.length > 40, String(named.length));
  const broken = named.filter(
    ({ chapter, anchor }) =>
      !CHAPTERS.includes(chapter) || (anchor !== undefined && !anchorsOf(`docs/${chapter}.md`).has(anchor)),
  );
  assert.deepEqual(broken, []);
});

const withoutCode = (markdown: string): string => markdown.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const markdown = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```/gms, '');
  const anchors = new Set<string>();
  for (const [, heading] of markdown.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let number = 0;
    while (anchors.has(number === 0 ? anchor : `${anchor}-${number}`)) number += 1;
    anchors.add(number === 0 ? anchor : `${anchor}-${number}`);
  }
  return anchors;
}
