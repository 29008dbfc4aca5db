// THIRD-PARTY-NOTICES.txt names every package that users get, and each of them has a licence that we accept.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { contractsPlugin } from '../../../scripts/console/contracts-plugin.ts';
import { isAllowed } from '../../../scripts/docs/licences.ts';
import { shippedPackages } from '../../../scripts/docs/shipped-packages.ts';

const ROOT = join(import.meta.dirname, '../../..');
const notices = readFileSync(join(ROOT, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
const LINES = new Set(notices.split('\n'));

test('every package that the lock files install for users is named, with a permissive licence', () => {
  for (const folder of ['.', 'models']) {
    const packages = shippedPackages(join(ROOT, folder), { withTexts: false });
    assert.ok(packages.length > 10);
    for (const { name, version, licence } of packages) {
      assert.ok(LINES.has(`${name} ${version}: ${licence}`), `${name} ${version} is missing. Run npm run docs.`);
      assert.ok(isAllowed(licence), `${name} has the licence ${licence}.`);
    }
  }
});

test('every dependency of package.json is among them', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [name, version] of Object.entries(dependencies))
    assert.ok(notices.includes(`\n${name} ${version}: `), name);
});

test('the packages whose code is in the files of the console are named with their texts', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'web/console/main.tsx')],
    outdir: join(tmpdir(), 'never-written'),
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file' },
    metafile: true,
    plugins: [contractsPlugin()],
  });
  const inConsole = new Set(
    Object.keys(metafile.inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  assert.ok(inConsole.has('preact'));
  const shipped = shippedPackages(ROOT, { withTexts: true });
  for (const name of inConsole) {
    const found = shipped.find((each) => each.name === name);
    assert.ok(found && found.texts.length > 0, name);
    assert.ok(notices.split('\n').includes(`${name} ${found.version}`), name);
  }
});

test('the data from which weights were made is named with its licences', () => {
  assert.match(notices, /WCXB, development split \| 1497 \| CC-BY-4\.0/);
  assert.match(notices, /Broad Twitter Corpus .* \| CC BY 4\.0 \|/);
  assert.match(notices, /all-MiniLM-L6-v2 Apache-2\.0/);
});

test('of alternatives, one permissive licence is enough; copyleft and unknown licences are refused', () => {
  for (const licence of ['MIT', '(AFL-2.1 OR BSD-3-Clause)', 'MIT or MPL-2.0', 'MIT AND ISC'])
    assert.ok(isAllowed(licence));
  for (const licence of ['GPL-3.0', 'MIT AND GPL-3.0', 'unknown', 'SEE LICENSE IN x', ''])
    assert.ok(!isAllowed(licence));
});

test('builds for one platform are named from the lock file alone, and tools of developers not at all', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-notices-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/a-linux': { version: '1.0.0', license: 'MIT', optional: true, os: ['linux'] },
    'node_modules/tool': { version: '3.0.0', license: 'MIT', dev: true },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  for (const file of ['node_modules/a/LICENSE', 'node_modules/a/node_modules/b/NOTICE.txt']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `Copyright (c) 2020 Somebody\r\n${file}\n`);
  }
  const found = shippedPackages(folder, { withTexts: true });
  assert.deepEqual(found, [
    { name: 'a', version: '1.0.0', licence: 'MIT', texts: ['Copyright (c) 2020 Somebody\nnode_modules/a/LICENSE'] },
    { name: 'a-linux', version: '1.0.0', licence: 'MIT', texts: [] },
    {
      name: 'b',
      version: '2.0.0',
      licence: 'ISC',
      texts: ['Copyright (c) 2020 Somebody\nnode_modules/a/node_modules/b/NOTICE.txt'],
    },
  ]);
});
