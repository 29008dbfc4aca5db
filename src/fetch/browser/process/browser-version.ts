// The version of the installed browser: asked once, when first needed.
import { tmpdir } from 'node:os';
import { runProgram } from '../../../runtime/programs/run-program.ts';
import { lazy } from '../../../util/lazy.ts';

const LIMIT_MS = 5_000;
const MAX_OUTPUT_BYTES = 4_096;
/** In "Chromium 142.0.7444.59 built on Debian", "Google Chrome 142.0.7444.59" and the like. */
const VERSION = /\b[1-9]\d{1,3}(?:\.\d{1,6}){3}\b/;

/** Resolves to the full version; undefined without a browser, or if it does not say. */
export function createBrowserVersion(
  executable: string | undefined,
  searchPath: string,
): () => Promise<string | undefined> {
  return lazy(async () => {
    if (executable === undefined) return undefined;
    const run = {
      program: executable,
      args: ['--version'],
      env: { PATH: searchPath, HOME: tmpdir() },
      maxOutputBytes: MAX_OUTPUT_BYTES,
      isGroup: true,
    };
    try {
      const { stdout } = await runProgram(run, AbortSignal.timeout(LIMIT_MS));
      return VERSION.exec(stdout.toString())?.[0];
    } catch {
      return undefined;
    }
  });
}
