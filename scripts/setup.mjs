// Runs before `npm start`, `npm test` and the like: installs the locked packages once, checks for Node 24, and looks for the
// system programs that Trawl uses: a browser, tesseract, ffmpeg, the sandbox.
// Nothing is installed yet when this runs, so it has no dependencies and runs on Node 18.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isConsoleBuilt } from './console/sources.mjs';
import { withLock } from './lock.mjs';
import { forgetOldRuntime, isRuntimeDone, setUpRuntime } from './models.mjs';
import { NPM_OPTIONS, networkFailure, npmReason, runNpm, SetupError } from './npm.mjs';
import { isPythonSdkDone, setUpPythonSdk } from './python-sdk.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.trawl-setup.json');
const LOCK = join(ROOT, '.setup.lock');
const BUILD_CONSOLE = join(ROOT, 'scripts', 'console', 'build.ts');
const NEEDED_NODE = 24;
/** Debian's names; `trawl doctor` tells them to users of the npm package. */
const PACKAGES = JSON.parse(readFileSync(join(ROOT, 'data', 'system-packages.json'), 'utf8'));
/**
 * System programs. A missing one is installed if possible; otherwise one line says, once, what will not work. The file
 * `.trawl-no-<name>` records that it is missing, and disappears when the packages are reinstalled.
 */
const PROGRAMS = [
  {
    name: 'browser',
    label: 'a browser',
    isWanted: (env) => (env.TRAWL_BROWSER || 'auto') === 'auto',
    files: ['chromium-headless-shell', 'chromium', 'google-chrome'],
    isElsewhere: (env) => isExecutable(env.CHROMIUM_PATH),
    packages: () => PACKAGES.browser,
    missing:
      'Chromium was not found, so pages that need JavaScript, actions and screenshots will not work. Install chromium-headless-shell, or set CHROMIUM_PATH.',
  },
  {
    name: 'sandbox',
    label: 'bubblewrap',
    // It confines the parsers, and the code that callers may run.
    isWanted: () => true,
    files: ['bwrap'],
    packages: () => PACKAGES.sandbox,
    missing:
      'bubblewrap (bwrap) was not found, so file parsers are limited but not cut off from the network and the files of this machine, and callers cannot run code. Install bubblewrap.',
  },
  {
    name: 'tesseract',
    label: 'tesseract',
    isWanted: (env) => (env.TRAWL_OCR || 'auto') === 'auto',
    files: ['tesseract'],
    packages: (env) => [...PACKAGES.tesseract, ...ocrLanguages(env).map((language) => `tesseract-ocr-${language}`)],
    missing:
      'tesseract was not found, so text in images and scans is read by a slower program, in English only. Install tesseract-ocr.',
  },
  {
    name: 'ffmpeg',
    label: 'ffmpeg',
    isWanted: (env) => (env.TRAWL_FFMPEG || 'auto') === 'auto',
    files: ['ffmpeg'],
    packages: () => PACKAGES.ffmpeg,
    missing: 'ffmpeg was not found, so `audio`, `video` and some image formats will not work. Install ffmpeg.',
  },
  {
    name: 'yt-dlp',
    isWanted: (env) => (env.TRAWL_YT_DLP || 'auto') === 'auto' && env.TRAWL_FFMPEG !== 'off',
    files: ['yt-dlp'],
    // Not installed automatically: the packaged version is too old for most sites.
    missing:
      'yt-dlp was not found, so `audio` and `video` work only for pages that link to their files. Install yt-dlp for other sites.',
  },
];

const quiet = process.argv.includes('--quiet');
const wanted = process.argv.includes('--dev') ? 'full' : 'runtime';

const say = (text) => quiet || process.stderr.write(`${text}\n`);

async function main() {
  forgetOldRuntime();
  if (isDone() && missingPrograms().length === 0 && isConsoleBuilt() && !needsPythonSdk() && !needsRuntime()) return;
  try {
    await withLock(LOCK, () => say('Another set-up is running in this folder; waiting for it to finish ...'), setUp);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function setUp() {
  // The previous owner of the lock may have finished the work.
  if (!isDone()) await setUpPackages();
  if (!isConsoleBuilt()) buildConsole();
  for (const program of missingPrograms()) setUpProgram(program);
  if (needsPythonSdk()) setUpPythonSdk(say);
  // Its tests are skipped without it, so a failure must not stop the others.
  if (needsRuntime()) await setUpRuntime(say).catch((error) => say(explain(error)));
}

async function setUpPackages() {
  const began = Date.now();
  const mode = modeToInstall();
  say(`Setting up (first start only): installing ${mode === 'full' ? 'all packages' : 'packages'} ...`);
  rmSync(STAMP, { force: true });
  await installPackages(mode);
  checkNode();
  writeFileSync(STAMP, JSON.stringify({ packages: packagesHash(), mode }));
  say(`Set-up done in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/** Starts do not wait for it: the running service installs it. */
const needsRuntime = () => wanted === 'full' && !isRuntimeDone();

const needsPythonSdk = () => wanted === 'full' && !isPythonSdkDone();

function explain(error) {
  if (error instanceof SetupError) return error.message;
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    return `Set-up failed: the folder ${ROOT} is not writable. Run the command as the user who owns it.`;
  }
  return `Set-up failed: ${error.message}`;
}

/** The stamp is written last, so it proves a complete install of this lock file on this kind of machine. */
function isDone() {
  const stamp = readStamp();
  return stamp.packages === packagesHash() && (stamp.mode === 'full' || wanted === 'runtime');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

function packagesHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  const lock = join(ROOT, 'package-lock.json');
  return hash.update(existsSync(lock) ? readFileSync(lock) : '').digest('hex');
}

/** Developer tools stay installed: `npm start` after `npm test` must not remove them. */
function modeToInstall() {
  return readStamp().mode === 'full' ? 'full' : wanted;
}

async function installPackages(mode) {
  const dev = mode === 'full' ? '--include=dev' : '--omit=dev';
  const options = [...NPM_OPTIONS, '--include=optional', '--include=prod', dev];
  const strict = await runNpm(ROOT, ['ci', ...options]);
  if (strict.code === 0) return;
  const offline = networkFailure(strict.errors);
  if (offline) {
    throw new SetupError(
      `Set-up failed: the npm registry cannot be reached (${offline}). Check the network, or npm's registry and proxy settings, and run the same command again.`,
    );
  }
  // The lock file does not suit this machine or npm: install from package.json and leave the lock file unchanged.
  const loose = await runNpm(ROOT, ['install', '--no-save', ...options]);
  if (loose.code === 0) return;
  throw new SetupError(
    `Set-up failed: the packages could not be installed (${npmReason(loose)}). Run \`npm install\` to see the full npm output.`,
  );
}

/** npm scripts use node_modules/.bin/node. If that does not run, the Node of this machine has to be new enough. */
function checkNode() {
  const bundled = join(MODULES, '.bin', 'node');
  if (spawnSync(bundled, ['--version']).status === 0) return;
  rmSync(bundled, { force: true });
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_NODE) return;
  throw new SetupError(
    `Trawl needs Node ${NEEDED_NODE} or newer, and this machine has ${process.version}. npm can provide it only on Linux (x64, arm64, glibc). Install Node ${NEEDED_NODE} and run the same command again.`,
  );
}

/** It imports the contracts, which need the Node of the service. */
function buildConsole() {
  const bundled = join(MODULES, '.bin', 'node');
  const node = existsSync(bundled) ? bundled : process.execPath;
  const { status, stderr } = spawnSync(node, ['--disable-warning=ExperimentalWarning', BUILD_CONSOLE], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new SetupError(`Set-up failed: the console could not be built (${stderr.trim().slice(-2_000)}).`);
}

/** The wanted programs that are neither installed nor recorded as missing. */
function missingPrograms() {
  const { env } = process;
  const folders = (env.PATH || '').split(delimiter);
  const isThere = ({ files, isElsewhere }) =>
    isElsewhere?.(env) || folders.some((folder) => files.some((file) => isExecutable(join(folder, file))));
  return PROGRAMS.filter((program) => program.isWanted(env) && !existsSync(markOf(program)) && !isThere(program));
}

function setUpProgram(program) {
  if (program.packages && mayUseApt()) {
    say(`Installing ${program.label} with apt-get (first start only) ...`);
    if (installByApt(program.packages(process.env))) return;
  }
  writeFileSync(markOf(program), '');
  say(program.missing);
}

const markOf = ({ name }) => join(MODULES, `.trawl-no-${name}`);

function isExecutable(file) {
  if (!file) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The language names in Debian's packages. */
function ocrLanguages(env) {
  const names = (env.TRAWL_OCR_LANGUAGES || 'eng').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => /^[a-z][a-z0-9_]*$/.test(name)).map((name) => name.replaceAll('_', '-'));
}

const installByApt = (packages) => apt('install', ...packages) || (isUpdated() && apt('install', ...packages));

let updated;
/** Tried only once: without a network it takes a minute to fail. */
function isUpdated() {
  updated ??= apt('update');
  return updated;
}

const mayUseApt = () =>
  process.platform === 'linux' && process.getuid() === 0 && spawnSync('apt-get', ['--version']).status === 0;

function apt(...args) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' };
  return spawnSync('apt-get', ['--quiet', '--yes', '--no-install-recommends', ...args], options).status === 0;
}

/** On request: a real search engine for `test/wire/searx.full.test.ts`. */
function installSearx() {
  say('Installing searx with apt-get ...');
  if (apt('update') && apt('install', 'searx')) return;
  process.stderr.write(
    'searx could not be installed: it needs Debian 12 with its package archive, and root. Its test will be skipped.\n',
  );
  process.exitCode = 1;
}

await main();
if (process.argv.includes('--searx')) installSearx();
