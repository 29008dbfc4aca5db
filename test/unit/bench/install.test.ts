// Programs that benches install for themselves: once, and with a reason where that is impossible.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installCargo, installPip, NotInstalled } from '../../../bench/install.ts';

const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
const programs = join(folder, 'programs');
const path = process.env.PATH;

before(() => {
  process.env.PATH = programs;
});
after(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

const isMissing = (program: string) => (error: Error) =>
  error instanceof NotInstalled && error.message === `${program} was not found`;

test('a missing python3 or cargo is named, and nothing is left behind', () => {
  const source = mkdtempSync(join(folder, 'source-'));
  writeFileSync(join(source, 'Cargo.toml'), '');
  assert.throws(() => installPip(join(folder, 'pip'), ['some-package==1.0']), isMissing('python3'));
  assert.throws(() => installCargo(join(folder, 'crate'), source), isMissing('cargo'));
  assert.equal(existsSync(join(folder, 'pip')), false);
  assert.equal(existsSync(join(folder, 'crate')), false);
});

test('what is installed is not installed again, unless its source has changed', () => {
  const into = join(folder, 'done');
  const source = mkdtempSync(join(folder, 'source-'));
  writeFileSync(join(source, 'main.rs'), 'fn main() {}');
  process.env.PATH = withProgram('cargo', 'exit 0');
  assert.equal(installCargo(into, source), join(into, 'release'));
  process.env.PATH = programs;
  assert.equal(installCargo(into, source), join(into, 'release'));
  writeFileSync(join(source, 'main.rs'), 'fn main() { println!(); }');
  assert.throws(() => installCargo(into, source), isMissing('cargo'));
});

test('the reason of a failure names no registry', () => {
  const source = mkdtempSync(join(folder, 'source-'));
  process.env.PATH = withProgram('cargo', 'echo "error: no answer from https://registry.test/x" >&2; exit 101');
  assert.throws(() => installCargo(join(folder, 'failed'), source), /^Error: error: no answer from the registry$/);
});

/** A search path with one program, a shell script. */
function withProgram(name: string, script: string): string {
  const into = mkdtempSync(join(folder, 'programs-'));
  writeFileSync(join(into, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return into;
}
