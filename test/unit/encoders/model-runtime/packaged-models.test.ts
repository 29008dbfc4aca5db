import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runtimeProblem } from '../../../../src/encoders/model-runtime/model-runtime.ts';
import { packagedModels } from '../../../../src/encoders/model-runtime/packaged-models.ts';
import { readVersion } from '../../../../src/runtime/version.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-packaged-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const VERSION = readVersion();

function addPackage(modules: string, name: string): string {
  const path = join(modules, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name }));
  return path;
}

test('where the package of the models is missing, callers are told the command that installs it', () => {
  const modules = join(folder, 'lib', 'node_modules');
  const everywhere = packagedModels(addPackage(modules, 'trawl'));
  assert.equal(everywhere.folder, undefined);
  assert.equal(
    runtimeProblem(everywhere),
    `The model runtime is not installed on this server. Its operator can install it: npm install --global --ignore-scripts ./trawl-models-${VERSION}.tgz`,
  );
  writeFileSync(join(folder, 'lib', 'package.json'), '{}');
  const inProject = packagedModels(join(modules, 'trawl'));
  assert.equal(inProject.installCommand, `npm install --ignore-scripts ./trawl-models-${VERSION}.tgz`);
  const byNpx = packagedModels(addPackage(join(folder, '_npx', '5153e8', 'node_modules'), 'trawl'));
  assert.equal(
    byNpx.installCommand,
    `npx --ignore-scripts -p ./trawl-${VERSION}.tgz -p ./trawl-models-${VERSION}.tgz trawl`,
  );
});

test('the package of the models is found beside the program, and counts when its runtime suits the machine', () => {
  const modules = join(folder, 'app', 'node_modules');
  const root = addPackage(modules, 'trawl');
  const models = addPackage(modules, 'trawl-models');
  assert.deepEqual(packagedModels(root).state(), { is: 'missing' }, 'without its runtime');
  // npm puts it beside; other package managers below.
  const runtime = addPackage(join(models, 'node_modules'), 'onnxruntime-node');
  mkdirSync(join(runtime, 'bin', 'napi-v6', 'plan9', process.arch), { recursive: true });
  assert.match(runtimeProblem(packagedModels(root))!, /has no library for this machine/);
  mkdirSync(join(runtime, 'bin', 'napi-v6', process.platform, process.arch), { recursive: true });
  assert.deepEqual(packagedModels(root).state(), { is: 'ready' });
  assert.equal(packagedModels(root).folder, models);
});
