// Builds the modules of the kernel beside its source, after a change there: node scripts/kernel/build.ts
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { compileKernel, KERNELS, RUSTC_VERSION, rustcVersion } from './compile.ts';

const FOLDER = join(import.meta.dirname, '../../src/transform/kernel');

if (rustcVersion() !== RUSTC_VERSION) throw new Error(`The kernel is built with rustc ${RUSTC_VERSION}.`);
for (const [name, features] of Object.entries(KERNELS)) {
  const file = join(FOLDER, name);
  compileKernel(features, file);
  // Loaded, not executed.
  chmodSync(file, 0o644);
}
