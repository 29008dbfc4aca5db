// Compiles the kernel of the transform to WebAssembly. It needs nothing but rustc: the kernel has no core library.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src/transform/kernel/kernel.rs');

/** Another version makes other bytes. */
export const RUSTC_VERSION = '1.95.0';

/** The modules by the names of their files. Processors without SIMD get the other one. */
export const KERNELS = { 'kernel-simd.wasm': '+simd128', 'kernel.wasm': '-simd128' } as const;

/** A kernel needs hardly any stack, which by default is a megabyte. */
const STACK_BYTES = 4_096;
const OPTIONS = [
  ...['--target', 'wasm32-unknown-unknown', '--crate-type', 'cdylib', '--edition', '2021'],
  ...['-C', 'opt-level=s', '-C', 'panic=abort', '-C', 'strip=symbols', '-C', `link-arg=-zstack-size=${STACK_BYTES}`],
];

export function compileKernel(features: string, target: string): void {
  // The source defines the core library itself, which stable versions allow only to their own build.
  const env = { ...process.env, RUSTC_BOOTSTRAP: '1' };
  execFileSync('rustc', [...OPTIONS, '-C', `target-feature=${features}`, '-o', target, SOURCE], { env });
}

/** The version of the rustc of this machine; undefined without one. */
export function rustcVersion(): string | undefined {
  try {
    return execFileSync('rustc', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
      ' ',
    )[1];
  } catch {
    return undefined;
  }
}
