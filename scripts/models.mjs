// `npm run models:install`: installs the runtime of the models in `models/`, and removes what it has for other platforms.
// The running service starts it in the background if it is missing. No dependencies; runs on Node 18.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { NPM_OPTIONS, networkFailure, npmReason, runNpm, SetupError } from './npm.mjs';

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'models');
const LOCK_FILE = join(FOLDER, 'package-lock.json');
/** Written last: the packages that are installed and, if they do not work on this machine, why. */
const STAMP = join(FOLDER, 'node_modules', '.trawl-setup.json');
const RUNTIME = join(FOLDER, 'node_modules', 'onnxruntime-node');
const LOCK = join(FOLDER, '.setup.lock');
const LOAD_MS = 60_000;

/** Whether there is nothing to do, because it is installed or because it cannot work on this machine. */
export const isRuntimeDone = () => !existsSync(LOCK_FILE) || readStamp().packages === packagesHash();

/** After an update, what is installed no longer counts: the service looks only for the stamp. */
export function forgetOldRuntime() {
  if (!isRuntimeDone()) rmSync(STAMP, { force: true });
}

/** Throws SetupError if it could not be installed, in which case the next call tries again. */
export async function setUpRuntime(say) {
  await withLock(
    LOCK,
    () => say('The model runtime is being installed by another process; waiting for it to finish ...'),
    async () => {
      // The previous owner of the lock may have finished the work.
      if (!isRuntimeDone()) await install(say);
    },
  );
  const { problem } = readStamp();
  if (problem) throw new SetupError(problem);
}

async function install(say) {
  const began = Date.now();
  say('Installing the model runtime (onnxruntime-node, once) ...');
  forgetOldRuntime();
  const npm = await runNpm(FOLDER, ['ci', ...NPM_OPTIONS, '--omit=dev']);
  if (npm.code !== 0) {
    const offline = networkFailure(npm.errors);
    const reason = offline ? `the npm registry cannot be reached (${offline})` : npmReason(npm);
    throw new SetupError(`The model runtime could not be installed: ${reason}. Try again: npm run models:install`);
  }
  prune();
  const problem = loadProblem();
  writeFileSync(STAMP, JSON.stringify({ packages: packagesHash(), ...(problem && { problem }) }));
  if (!problem) say(`The model runtime was installed in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/** The package holds libraries for five platforms, 240 MB; one of them is needed. */
function prune() {
  const needed = [process.platform, process.arch].join('/');
  for (const version of foldersIn(join(RUNTIME, 'bin'))) {
    for (const platform of foldersIn(version)) {
      for (const arch of foldersIn(platform)) {
        if (`${basename(platform)}/${basename(arch)}` !== needed) rmSync(arch, { recursive: true });
      }
    }
  }
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** One sentence if the library does not load here. It is tried in a process of its own, which it could crash. */
function loadProblem() {
  const script = `require(${JSON.stringify(RUNTIME)})`;
  const tried = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: LOAD_MS });
  if (tried.status === 0) return undefined;
  const reason = /^(?:Error: )?(.*(?:\.node|\.so|GLIBC|cannot open|not find).*)$/m.exec(tried.stderr ?? '')?.[1];
  return `The model runtime does not work on this machine (${process.platform} ${process.arch}): ${reason ?? 'it does not load'}.`;
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

function packagesHash() {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(LOCK_FILE))
    .digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const say = (text) => process.stderr.write(`${text}\n`);
  try {
    if (isRuntimeDone() && !readStamp().problem) say('The model runtime is installed.');
    else await setUpRuntime(say);
  } catch (error) {
    say(error instanceof SetupError ? error.message : `The model runtime could not be installed: ${error.message}`);
    process.exitCode = 1;
  }
}
