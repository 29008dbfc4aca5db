// The console as set-up builds it. While working on it, the built files may be older than the sources.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isConsoleBuilt } from '../../scripts/console/sources.mjs';
import { ROOT } from './program.ts';

export function buildConsoleIfNeeded(): void {
  if (isConsoleBuilt()) return;
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/console/build.ts')]);
}
