// The public Python SDK, in an environment of its own, for the tests that use it. Without Python they are skipped.
// Like setup.mjs, it has no dependencies and runs on Node 18.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const REQUIREMENTS = join(ROOT, 'scripts', 'python-sdk.txt');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'python-sdk');
/** Written last: the requirements that are installed, or why none are. */
const STAMP = join(FOLDER, 'trawl-stamp.json');
const INSTALL_MS = 300_000;

/** Undefined unless it is installed. */
export const pythonSdk = () => (readStamp()?.problem === undefined && isPythonSdkDone() ? pythonIn(FOLDER) : undefined);

/** Whether there is nothing to do, because it is installed or because that was tried in vain. */
export function isPythonSdkDone() {
  return !existsSync(REQUIREMENTS) || readStamp()?.requirements === readFileSync(REQUIREMENTS, 'utf8');
}

export function setUpPythonSdk(say) {
  say('Installing the Python SDK for the tests (once) ...');
  rmSync(FOLDER, { recursive: true, force: true });
  const problem = install();
  if (problem) say(`The Python SDK could not be installed, so its tests are skipped: ${problem}`);
  mkdirSync(FOLDER, { recursive: true });
  const requirements = readFileSync(REQUIREMENTS, 'utf8');
  writeFileSync(STAMP, JSON.stringify({ requirements, ...(problem && { problem }) }));
}

/** Returns one sentence if something failed. */
function install() {
  if (run('python3', ['--version']).status !== 0) return 'python3 was not found.';
  if (run('python3', ['-m', 'venv', FOLDER]).status !== 0) return 'python3 cannot create an environment (venv).';
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check', '--retries', '1'];
  const pip = run(pythonIn(FOLDER), ['-m', 'pip', 'install', ...options, '-r', REQUIREMENTS]);
  if (pip.status === 0) return undefined;
  return /^ERROR: (.+)$/m.exec(pip.stderr ?? '')?.[1] ?? 'pip failed.';
}

const run = (program, args) => spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_MS });
const pythonIn = (folder) => join(folder, 'bin', 'python');

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return undefined;
  }
}
