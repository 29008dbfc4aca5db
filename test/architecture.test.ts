// The rules of the house, checked: layers, cycles, file sizes, and who may touch the environment, the console and sockets.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).sort();
const source = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const STAGES = [
  'fetch',
  'parse',
  'media',
  'transform',
  'search',
  'index',
  'store',
  'crawl',
  'jobs',
  'models',
  'sessions',
];
const INNER = ['util', 'text', 'contracts', 'markup', 'net'];

// What each folder of src may import, besides itself. `type:` entries only as `import type`.
const MAY_IMPORT: Record<string, string[]> = {
  util: [],
  text: ['util'],
  contracts: ['util', 'text'],
  markup: ['util', 'text', 'contracts'],
  net: ['util', 'text', 'contracts', 'markup'],
  ...Object.fromEntries(STAGES.map((stage) => [stage, [...INNER, ...STAGES.map((other) => `type:${other}`)]])),
  operations: [...INNER, ...STAGES],
  api: ['operations', 'contracts', 'util', 'text', 'type:store', 'type:sessions'],
  cli: ['contracts', 'util', 'text', 'type:store'],
  mcp: ['contracts', 'util', 'text'],
  config: [...INNER, ...STAGES],
};
// Adapters are chosen only by the composition root.
const ADAPTERS =
  /^src\/(store\/(sqlite|fs)|index\/open-index|fetch\/(http-engine|browser)|transform\/pool|parse\/process)/;

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const imports: Import[] = files.flatMap((from) =>
  [...source.get(from)!.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'(\.[^']+)'/gms)].map((match) => ({
    from,
    to: relative(root, join(root, dirname(from), match[2]!)),
    typeOnly: match[1] !== undefined,
  })),
);

const folderOf = (file: string) => {
  const folder = file.split('/').length > 2 ? file.split('/')[1]! : 'root';
  return folder === 'compose' ? 'root' : folder;
};

test('every relative import names a file that exists', () => {
  assert.deepEqual(
    imports.filter(({ to }) => !source.has(to) && to.startsWith('src/')).map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('imports go one way, from the outer layers to the inner ones', () => {
  const broken = imports.filter(({ from, to, typeOnly }) => {
    const [outer, inner] = [folderOf(from), folderOf(to)];
    if (outer === 'root' || outer === inner) return false;
    const allowed = MAY_IMPORT[outer];
    assert.ok(allowed, `${from}: the folder ${outer} has no place in the layers`);
    return !(allowed.includes(inner) || (typeOnly && allowed.includes(`type:${inner}`)));
  });
  assert.deepEqual(
    broken.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('only the composition root chooses adapters', () => {
  const broken = imports.filter(
    ({ from, to, typeOnly }) =>
      !typeOnly && ADAPTERS.test(to) && folderOf(from) !== 'root' && folderOf(from) !== folderOf(to),
  );
  assert.deepEqual(
    broken.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('no import cycle, type imports counted', () => {
  const next = Map.groupBy(imports, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of files) visit(file, []);
  assert.deepEqual(cycles, []);
});

test('no file is longer than 300 lines', () => {
  const long = [...source].filter(([, text]) => text.split('\n').length > 301).map(([file]) => file);
  assert.deepEqual(long, []);
});

test('every file opens with a line on its purpose', () => {
  assert.deepEqual(
    [...source].filter(([, text]) => !text.startsWith('//')).map(([file]) => file),
    [],
  );
});

const mentions = (pattern: RegExp, allowed: RegExp) =>
  [...source].filter(([file, text]) => pattern.test(text) && !allowed.test(file)).map(([file]) => file);

test('only config reads the environment', () => {
  assert.deepEqual(mentions(/process\.env/, /^src\/config\//), []);
});

test('only cli writes to the console', () => {
  assert.deepEqual(mentions(/\bconsole\.|process\.std(out|err)\.write/, /^src\/(cli|sessions\/sandbox\/inside)\//), []);
});

test('only net touches sockets; the one that listens belongs to fastify', () => {
  const modules = /^import (?!type)[^;]*from '(node:)?(http|https|http2|net|tls|dns|dgram|dns\/promises|undici)'/m;
  const calls = /([=(,?:]|return|await)\s*(globalThis\.)?fetch\(|new (WebSocket|EventSource|XMLHttpRequest)\(/;
  // What runs in the sandbox is not this process, and has no network.
  const allowed = /^src\/(net|sessions\/sandbox\/inside)\//;
  assert.deepEqual(mentions(new RegExp(`${modules.source}|${calls.source}`, 'm'), allowed), []);
});

test('no folder is a barrel: no file re-exports another', () => {
  assert.deepEqual(mentions(/^export (\*|\{[^}]*\}) from/m, /^$/), []);
});
