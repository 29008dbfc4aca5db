// Runs before and after `npm pack`: makes dist/ and the package.json of the npm package, and takes both back.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isConsoleBuilt } from '../console/sources.mjs';
import { compile } from './compile.ts';
import { BUILD_ONLY, manifestOf } from './manifest.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const MANIFEST = join(ROOT, 'package.json');
/** The package.json of the checkout while there is another in its place. */
const KEPT = join(ROOT, 'package.json.kept');

/** Packages that code in the sandbox gets from one of our packages. */
const BROUGHT_BY_OTHERS = ['ws'];

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

function takeBack(): void {
  rmSync(DIST, { recursive: true, force: true });
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

function build(): void {
  if (!isConsoleBuilt()) throw new Error('The console is not built. Run `node scripts/setup.mjs` first.');
  const manifest = readJson(MANIFEST);
  const { packages } = compile(join(ROOT, 'src'), DIST);
  const given = Object.keys(manifest.dependencies).filter((name) => !BUILD_ONLY.includes(name));
  const unknown = [...packages].filter((name) => ![...given, ...BROUGHT_BY_OTHERS].includes(name));
  if (unknown.length > 0) throw new Error(`src imports packages that users do not get: ${unknown.join(', ')}`);
  const published = manifestOf(manifest, readJson(join(ROOT, 'package-lock.json')));
  renameSync(MANIFEST, KEPT);
  writeFileSync(MANIFEST, `${JSON.stringify(published, null, 2)}\n`);
}

// An earlier run may have been interrupted.
takeBack();
if (!process.argv.includes('--remove')) build();
