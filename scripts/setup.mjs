// Runs before `npm start`, `npm test` and the like: installs what the lock names, once, checks that there is a Node 24, and finds the
// programs that it takes from the system: a browser, tesseract, ffmpeg, the sandbox.
// Nothing is installed yet when this runs, so: no dependencies, and nothing newer than Node 18 knows.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.trawl-setup.json');
const LOCK = join(ROOT, '.setup.lock');
const NEEDED_NODE = 24;
/**
 * What comes from the system: found, else installed if that is allowed, else one line says what will not work, once. The file
 * `.trawl-no-<name>` says that it was looked for in vain; packages that are installed anew take it away.
 */
const PROGRAMS = [
  {
    name: 'browser',
    called: 'a browser',
    isWanted: (env) => (env.TRAWL_BROWSER || 'auto') === 'auto',
    files: ['chromium-headless-shell', 'chromium', 'google-chrome'],
    isElsewhere: (env) => isExecutable(env.CHROMIUM_PATH),
    packages: () => ['chromium-headless-shell', 'fonts-liberation', 'fonts-dejavu-core'],
    missing:
      'There is no Chromium on this machine, so pages that need JavaScript, actions and screenshots will not work. Install chromium-headless-shell, or set CHROMIUM_PATH.',
  },
  {
    name: 'sandbox',
    called: 'bubblewrap',
    // Needed by those only who let callers run code.
    isWanted: (env) => !['', 'off'].includes(env.TRAWL_BROWSER_EXECUTE || ''),
    files: ['bwrap'],
    packages: () => ['bubblewrap'],
    missing:
      'There is no bubblewrap (bwrap) on this machine, so code of callers will not be run, whatever TRAWL_BROWSER_EXECUTE says. Install bubblewrap.',
  },
  {
    name: 'tesseract',
    called: 'tesseract',
    isWanted: (env) => (env.TRAWL_OCR || 'auto') === 'auto',
    files: ['tesseract'],
    packages: (env) => [
      'tesseract-ocr',
      'tesseract-ocr-osd',
      ...ocrLanguages(env).map((language) => `tesseract-ocr-${language}`),
    ],
    missing:
      'There is no tesseract on this machine, so text in pictures and scans is read by a slower program, and in English only. Install tesseract-ocr.',
  },
  {
    name: 'ffmpeg',
    called: 'ffmpeg',
    isWanted: (env) => (env.TRAWL_FFMPEG || 'auto') === 'auto',
    files: ['ffmpeg'],
    packages: () => ['ffmpeg'],
    missing:
      'There is no ffmpeg on this machine, so `audio`, `video` and some kinds of pictures will not work. Install ffmpeg.',
  },
  {
    name: 'yt-dlp',
    isWanted: (env) => (env.TRAWL_YT_DLP || 'auto') === 'auto' && env.TRAWL_FFMPEG !== 'off',
    files: ['yt-dlp'],
    // Not installed: it is useful only as new as the sites that it knows.
    missing:
      'There is no yt-dlp on this machine, so `audio` and `video` come only from pages that show their files. Install yt-dlp for others.',
  },
];

const quiet = process.argv.includes('--quiet');
const wanted = process.argv.includes('--dev') ? 'full' : 'runtime';

const say = (text) => quiet || process.stderr.write(`${text}\n`);

class SetupError extends Error {}

async function main() {
  if (isDone() && unsettled().length === 0) return;
  try {
    await withLock(LOCK, () => say('Another set-up is running in this folder; waiting for it ...'), setUp);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function setUp() {
  // Whoever held the lock before may have done all of it.
  if (!isDone()) await setUpPackages();
  for (const program of unsettled()) setUpProgram(program);
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

function explain(error) {
  if (error instanceof SetupError) return error.message;
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    return `Set-up failed: the folder ${ROOT} cannot be written. Run the command as the user who owns it.`;
  }
  return `Set-up failed: ${error.message}`;
}

/** The stamp is written last, so it stands for a complete install of exactly this lock on exactly this kind of machine. */
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

/** A folder with the developer tools keeps them: `npm start` after `npm test` must not throw them out. */
function modeToInstall() {
  return readStamp().mode === 'full' ? 'full' : wanted;
}

async function installPackages(mode) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--include=optional', '--include=prod'];
  options.push(mode === 'full' ? '--include=dev' : '--omit=dev');
  // Npm would wait for more than a minute before it says that there is no network.
  options.push('--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const strict = await runNpm(['ci', ...options]);
  if (strict.code === 0) return;
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/.exec(
    strict.errors,
  );
  if (offline) {
    throw new SetupError(
      `Set-up failed: the npm registry cannot be reached (${offline[0]}). Check the network, or npm's registry and proxy settings, and run the same command again.`,
    );
  }
  // The lock does not fit this machine or this npm: install by package.json, and leave the lock as it is.
  const loose = await runNpm(['install', '--no-save', ...options]);
  if (loose.code === 0) return;
  const reason = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(loose.errors)?.[1] ?? `npm ended with ${loose.code}`;
  throw new SetupError(
    `Set-up failed: the packages could not be installed (${reason}). Run \`npm install\` to see all that npm has to say.`,
  );
}

function runNpm(args) {
  const [command, ...before] = npmCommand();
  const child = spawn(command, [...before, ...args], {
    cwd: ROOT,
    env: npmEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let interrupted = false;
  const stop = (signal) => {
    interrupted = true;
    child.kill(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(
        new SetupError('Set-up failed: npm was not found. Install it beside Node and run the same command again.'),
      ),
    );
    child.on('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (interrupted) reject(new SetupError('Set-up was interrupted. The next start takes it up again.'));
      else resolve({ code, errors });
    });
  });
}

/** The npm that runs this script, on the Node that runs it: the Node in node_modules is about to be replaced. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node && basename(npm) === 'npm-cli.js' && existsSync(npm) && existsSync(node)) return [node, npm];
  return ['npm'];
}

/** An npm script hands its own settings on. Keep those that say where packages come from, drop those that change what is installed. */
function npmEnvironment() {
  const kept =
    /^npm_config_(registry|.*proxy|ca|cafile|strict_ssl|cache|userconfig|globalconfig|offline|prefer_offline|fetch_timeout|_.*|\/\/.*|@.*)$/i;
  const ours = ([name]) => (/^npm_/i.test(name) ? kept.test(name) : name !== 'NODE_ENV' && name !== 'INIT_CWD');
  const env = Object.fromEntries(Object.entries(process.env).filter(ours));
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter);
  return env;
}

/** Npm scripts find node_modules/.bin/node first. Where npm has none that runs, the Node of this machine must do. */
function checkNode() {
  const bundled = join(MODULES, '.bin', 'node');
  if (spawnSync(bundled, ['--version']).status === 0) return;
  rmSync(bundled, { force: true });
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_NODE) return;
  throw new SetupError(
    `Trawl runs on Node ${NEEDED_NODE} or newer; npm brings it on Linux (x64, arm64, glibc) only, and this machine has ${process.version}. Install Node ${NEEDED_NODE} and run the same command again.`,
  );
}

/** Where a program is there, or has been looked for in vain, nothing is left to do. */
function unsettled() {
  const { env } = process;
  const folders = (env.PATH || '').split(delimiter);
  const isThere = ({ files, isElsewhere }) =>
    isElsewhere?.(env) || folders.some((folder) => files.some((file) => isExecutable(join(folder, file))));
  return PROGRAMS.filter((program) => program.isWanted(env) && !existsSync(markOf(program)) && !isThere(program));
}

function setUpProgram(program) {
  if (program.packages && mayUseApt()) {
    say(`Installing ${program.called} by apt-get (first start only) ...`);
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

/** As Debian names their packages. */
function ocrLanguages(env) {
  const names = (env.TRAWL_OCR_LANGUAGES || 'eng').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => /^[a-z][a-z0-9_]*$/.test(name)).map((name) => name.replaceAll('_', '-'));
}

const installByApt = (packages) => apt('install', ...packages) || (isUpdated() && apt('install', ...packages));

let updated;
/** Once is enough, also where it takes a minute to say that there is no network. */
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

/** For those who ask for it: a search engine of others, which `test/wire/searx.test.ts` searches through. */
function installSearx() {
  say('Installing searx by apt-get ...');
  if (apt('update') && apt('install', 'searx')) return;
  process.stderr.write(
    'searx could not be installed: that takes Debian 12 with its package archive, and root. Its test will be skipped.\n',
  );
  process.exitCode = 1;
}

await main();
if (process.argv.includes('--searx')) installSearx();
