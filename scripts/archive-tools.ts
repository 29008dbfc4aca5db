// warcio and pywb, in a Python environment of their own, for the test that reads our archives with them. Installed once, when the
// test first asks; without Python or a package index, the test is skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = join(dirname(import.meta.dirname), 'node_modules', '.cache', 'archive-tools');
const PACKAGES = ['warcio==1.8.1', 'pywb==2.10.0'];
/** Written last. */
const STAMP = join(FOLDER, `${PACKAGES.join('-')}.done`);
const PYTHON = join(FOLDER, 'bin', 'python');
const INSTALL_MS = 240_000;

/** The program, or one sentence that says why there is none. */
export function archiveTools(): { python: string } | { problem: string } {
  if (existsSync(STAMP)) return { python: PYTHON };
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  if (!runs('python3', ['-m', 'venv', FOLDER])) return { problem: 'python3 cannot create an environment (venv).' };
  const options = ['--quiet', '--disable-pip-version-check', '--retries', '1'];
  if (!runs(PYTHON, ['-m', 'pip', 'install', ...options, ...PACKAGES]))
    return { problem: 'pip cannot install warcio and pywb.' };
  writeFileSync(STAMP, '');
  return { python: PYTHON };
}

const runs = (program: string, args: string[]): boolean =>
  spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_MS }).status === 0;
