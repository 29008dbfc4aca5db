// Runs before `npm start`, `npm test` and the like: installs what the lock names, once, checks that there is a Node 24, and finds a browser.
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
/** Says that a browser was looked for in vain. Packages that are installed anew take it away, so that it is looked for again. */
const NO_BROWSER = join(MODULES, '.trawl-no-browser');
/** The same of the sandbox. */
const NO_SANDBOX = join(MODULES, '.trawl-no-sandbox');
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome'];
const BROWSER_PACKAGES = ['chromium-headless-shell', 'fonts-liberation', 'fonts-dejavu-core'];

const quiet = process.argv.includes('--quiet');
const wanted = process.argv.includes('--dev') ? 'full' : 'runtime';

const say = (text) => quiet || process.stderr.write(`${text}\n`);

class SetupError extends Error {}

async function main() {
  if (isDone() && isBrowserSettled() && isSandboxSettled()) return;
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
  if (!isBrowserSettled()) setUpBrowser();
  if (!isSandboxSettled()) setUpSandbox();
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

/** Where there is a browser, or has been looked for one in vain, nothing is left to do. */
function isBrowserSettled() {
  return process.env.TRAWL_BROWSER === 'off' || existsSync(NO_BROWSER) || hasBrowser();
}

function hasBrowser() {
  const { CHROMIUM_PATH: named, TRAWL_BROWSER: chosen, PATH: folders = '' } = process.env;
  if (chosen && chosen !== 'auto') return true;
  return [...(named ? [named] : []), ...placesOf(BROWSERS, folders)].some(isExecutable);
}

const placesOf = (names, folders) =>
  folders.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What comes from the system: found, else installed if that is allowed, else one line says what will not work. */
function setUpBrowser() {
  if (mayUseApt()) {
    say('Installing a browser by apt-get (first start only) ...');
    if (installByApt(BROWSER_PACKAGES)) return;
  }
  writeFileSync(NO_BROWSER, '');
  say(
    'There is no Chromium on this machine, so pages that need JavaScript, actions and screenshots will not work. Install chromium-headless-shell, or set CHROMIUM_PATH.',
  );
}

/** Needed by those only who let callers run code. */
function isSandboxSettled() {
  const { TRAWL_BROWSER_EXECUTE: allowed = 'off', PATH: folders = '' } = process.env;
  return ['', 'off'].includes(allowed) || existsSync(NO_SANDBOX) || placesOf(['bwrap'], folders).some(isExecutable);
}

function setUpSandbox() {
  if (mayUseApt()) {
    say('Installing bubblewrap by apt-get (first start only) ...');
    if (installByApt(['bubblewrap'])) return;
  }
  writeFileSync(NO_SANDBOX, '');
  say(
    'There is no bubblewrap (bwrap) on this machine, so code of callers will not be run, whatever TRAWL_BROWSER_EXECUTE says. Install bubblewrap.',
  );
}

const installByApt = (packages) => apt('install', ...packages) || (apt('update') && apt('install', ...packages));

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
