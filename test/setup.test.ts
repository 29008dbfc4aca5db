// The set-up script, run in a temporary project with a fake npm that records its calls.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installModels } from '../src/compose/install-models.ts';
import { checkoutModels } from '../src/encoders/model-runtime/checkout-models.ts';
import { runtimeProblem } from '../src/encoders/model-runtime/model-runtime.ts';
import { fullTest, test } from './support/full-run.ts';

const ROOT = join(import.meta.dirname, '..');
const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Project {
  root: string;
  /** Runs the set-up script. */
  setUp(args?: string[], env?: Record<string, string>): Promise<{ code: number; output: string }>;
  /** The npm calls, one line each. */
  calls(): string[];
}

const INSTALLS = 'mkdir -p node_modules/.bin';

function createProject(npm = INSTALLS): Project {
  const root = mkdtempSync(join(tmpdir(), 'trawl-setup-'));
  folders.push(root);
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
  cpSync(join(ROOT, 'data/system-packages.json'), join(root, 'data/system-packages.json'));
  // Only its own test installs the Python SDK.
  rmSync(join(root, 'scripts', 'python-sdk.txt'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  mkdirSync(join(root, 'tools'));
  writeFileSync(join(root, 'tools', 'npm'), `#!/bin/sh\necho "$@" >> calls\nenv > environment\n${npm}\n`);
  chmodSync(join(root, 'tools', 'npm'), 0o755);
  // It cannot be switched off, and must not be installed here.
  writeFileSync(join(root, 'tools', 'bwrap'), '', { mode: 0o755 });

  return {
    root,
    setUp: (args = [], env = {}) =>
      new Promise((resolve) => {
        // Outside npm, the script finds npm on the PATH.
        const { npm_execpath: _, ...rest } = process.env;
        const PATH = join(root, 'tools') + delimiter + process.env.PATH;
        const off = { TRAWL_BROWSER: 'off', TRAWL_OCR: 'off', TRAWL_FFMPEG: 'off', TRAWL_YT_DLP: 'off' };
        const child = execFile(
          process.execPath,
          [join(root, 'scripts', 'setup.mjs'), ...args],
          { env: { ...rest, PATH, ...off, ...env } },
          (_error, _stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stderr }),
        );
      }),
    calls: () => (existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : []),
  };
}

test('the first start installs without developer tools, and the second does nothing', async () => {
  const { setUp, calls } = createProject();
  const first = await setUp();
  assert.equal(first.code, 0);
  assert.match(first.output, /^Setting up \(first start only\).*\nSet-up done in .* s\.\n$/);
  assert.match(calls()[0]!, /^ci --ignore-scripts --no-audit --no-fund --loglevel=error .*--omit=dev/);

  assert.deepEqual(await setUp(), { code: 0, output: '' });
  assert.equal(calls().length, 1);
});

test('tests add the developer tools once, and a later start keeps them even when the lock changes', async () => {
  const { root, setUp, calls } = createProject();
  await setUp();
  await setUp(['--dev']);
  await setUp();
  assert.equal(calls().length, 2);
  assert.match(calls()[1]!, /--include=dev/);

  writeFileSync(join(root, 'package-lock.json'), '{"changed":true}');
  await setUp();
  await setUp(['--dev']);
  assert.equal(calls().length, 3);
  assert.match(calls()[2]!, /--include=dev/);
});

test('--quiet prints nothing when all goes well', async () => {
  assert.deepEqual(await createProject().setUp(['--quiet']), { code: 0, output: '' });
});

test('an interrupted install is repeated', async () => {
  const { root, setUp, calls } = createProject();
  mkdirSync(join(root, 'node_modules', 'half'), { recursive: true });
  assert.equal((await setUp()).code, 0);
  assert.equal(calls().length, 1);
});

test('without a network it says so in one sentence and stops', async () => {
  const { setUp, calls } = createProject('echo "npm error code ENOTFOUND" >&2\nexit 1');
  const { code, output } = await setUp(['--quiet']);
  assert.equal(code, 1);
  assert.match(output, /^Set-up failed: the npm registry cannot be reached \(ENOTFOUND\)\. .*again\.\n$/);
  assert.equal(calls().length, 1);
  assert.equal((await setUp()).code, 1, 'a failed set-up left a stamp');
});

test('a lock that npm cannot use falls back to a plain install', async () => {
  const { setUp, calls } = createProject(`[ "$1" = ci ] && { echo "npm error EUSAGE" >&2; exit 1; }\n${INSTALLS}`);
  assert.equal((await setUp()).code, 0);
  assert.match(calls()[1]!, /^install --no-save /);
});

test("if nothing can be installed, the sentence gives npm's reason", async () => {
  const { setUp } = createProject('printf "npm error code EBADTHING\\nnpm error The disk is full\\n" >&2\nexit 1');
  const { code, output } = await setUp(['--quiet']);
  assert.equal(code, 1);
  assert.match(output, /^Set-up failed: .*\(The disk is full\)/);
});

test('outer npm settings that change what is installed are not passed on, but registry settings are', async () => {
  const { root, setUp } = createProject();
  await setUp(['--dev'], {
    NODE_ENV: 'production',
    npm_config_omit: 'dev',
    npm_config_ignore_scripts: 'true',
    npm_config_global: 'true',
    npm_config_registry: 'http://registry.test/',
    npm_config_cache: '/cache',
    PATH: [join(root, 'tools'), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  });
  const environment = readFileSync(join(root, 'environment'), 'utf8');
  assert.doesNotMatch(environment, /^(NODE_ENV|npm_config_(omit|ignore_scripts|global))=/m);
  assert.doesNotMatch(environment, /^PATH=.*node_modules\/\.bin/m);
  assert.match(environment, /^npm_config_registry=http:\/\/registry\.test\/$/m);
  assert.match(environment, /^npm_config_cache=\/cache$/m);
});

test('two simultaneous set-ups install once, one after the other', async () => {
  const { root, setUp, calls } = createProject(`sleep 0.5\n${INSTALLS}`);
  const results = await Promise.all([setUp(), setUp(), setUp(['--quiet'])]);
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0, 0],
  );
  assert.equal(calls().length, 1);
  assert.equal(existsSync(join(root, '.setup.lock')), false);
});

test('the lock of a dead set-up is taken over: at once by its pid, or by its age if the pid is in use again', async () => {
  for (const [pid, ageMs] of [
    [deadPid(), 0],
    [process.pid, 60_000],
  ] as const) {
    const { root, setUp } = createProject();
    const lock = join(root, '.setup.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(pid));
    const then = new Date(Date.now() - ageMs);
    utimesSync(lock, then, then);
    const results = await Promise.all([setUp(), setUp()]);
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(existsSync(lock), false);
  }
});

test('a bundled Node that cannot run here is replaced by the installed Node', async () => {
  const { root, setUp } = createProject(`${INSTALLS}\nprintf "not a program" > node_modules/.bin/node`);
  assert.equal((await setUp()).code, 0);
  assert.equal(existsSync(join(root, 'node_modules', '.bin', 'node')), false);
});

fullTest('the trawl command runs the program with its arguments, and passes on signals and the exit code', async () => {
  const shim = join(ROOT, 'bin', 'trawl.mjs');
  assert.match(execFileSync(process.execPath, [shim, 'help', 'settings'], { encoding: 'utf8' }), /TRAWL_PORT/);

  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-shim-'));
  folders.push(dataDir);
  const child = spawn(process.execPath, [shim], {
    env: { ...process.env, TRAWL_PORT: '0', TRAWL_DATA_DIR: dataDir, TRAWL_INSTALL_MODELS: 'off' },
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

function deadPid(): number {
  return Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
}

test('developers get the Python SDK once; without Python one line says what is skipped', async () => {
  const { root, setUp, calls } = createProject();
  const requirements = join(root, 'scripts', 'python-sdk.txt');
  const addPython = (script: string) => {
    writeFileSync(join(root, 'tools', 'python3'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'tools', 'python3'), 0o755);
  };
  writeFileSync(requirements, 'sdk==1\n');
  addPython('exit 1');
  assert.doesNotMatch((await setUp()).output, /Python/, 'users need no SDK');
  const failed = await setUp(['--dev']);
  assert.equal(failed.code, 0);
  assert.match(failed.output, /its tests are skipped: python3 was not found\./);
  assert.doesNotMatch((await setUp(['--dev'])).output, /Python/);

  writeFileSync(requirements, 'sdk==2\n');
  const pip = `mkdir -p $3/bin; printf '#!/bin/sh\\necho pip "$@" >> ${join(root, 'calls')}\\n' > $3/bin/python; chmod +x $3/bin/python`;
  addPython(`[ "$1" = -m ] || exit 0; ${pip}`);
  const installed = await setUp(['--dev']);
  assert.match(installed.output, /Installing the Python SDK/);
  assert.doesNotMatch(installed.output, /skipped/);
  assert.match(calls().at(-1)!, /^pip -m pip install .*--no-deps .*-r .*python-sdk\.txt$/);
  const count = calls().length;
  assert.equal((await setUp(['--dev'])).output, '');
  assert.equal(calls().length, count, 'nothing is installed twice');
});

const RUNTIME = 'node_modules/onnxruntime-node';
const INSTALLS_RUNTIME = `mkdir -p ${RUNTIME}/bin/napi-v6/win32/x64 ${RUNTIME}/bin/napi-v6/${process.platform}/${process.arch} ${RUNTIME}/bin/napi-v6/${process.platform}/other; echo > ${RUNTIME}/index.js`;

/** A project with a `models` folder, whose npm is a script of its own. */
function createModels(npm = INSTALLS_RUNTIME): Project & { models: string } {
  const project = createProject(`case $PWD in */models) ${npm} ;; *) ${INSTALLS} ;; esac`);
  const models = join(project.root, 'models');
  mkdirSync(models);
  writeFileSync(join(models, 'package-lock.json'), '{}');
  const readCalls = () =>
    existsSync(join(models, 'calls')) ? readFileSync(join(models, 'calls'), 'utf8').trim().split('\n') : [];
  return { ...project, models, calls: readCalls };
}

test('developers get the model runtime, for this platform only and without its scripts; starts do not wait for it', async () => {
  const { models, setUp, calls } = createModels();
  await setUp();
  assert.deepEqual(calls(), []);
  assert.deepEqual(
    (await Promise.all([setUp(['--dev']), setUp(['--dev'])])).map(({ code }) => code),
    [0, 0],
  );
  assert.equal(calls().length, 1);
  assert.match(calls()[0]!, /^ci --ignore-scripts /);
  const kept = readdirSync(join(models, RUNTIME, 'bin/napi-v6'), { recursive: true }).sort();
  assert.deepEqual(kept, [process.platform, join(process.platform, process.arch), 'win32'].sort());
  assert.deepEqual(checkoutModels(models).state(), { is: 'ready' });
});

test('a half-done or outdated install of the model runtime is repeated', async () => {
  const { models, setUp, calls } = createModels();
  mkdirSync(join(models, RUNTIME), { recursive: true });
  assert.deepEqual(checkoutModels(models).state(), { is: 'missing' });
  await setUp(['--dev']);
  writeFileSync(join(models, 'package-lock.json'), '{"changed":true}');
  await setUp();
  assert.deepEqual(checkoutModels(models).state(), { is: 'missing' }, 'the service installs it');
  await setUp(['--dev']);
  assert.equal(calls().length, 2);
});

test('a model runtime that cannot be had or does not load is said in one line and stops nothing', async () => {
  const offline = createModels('echo "npm error code ENOTFOUND" >&2; exit 1');
  const { code, output } = await offline.setUp(['--dev']);
  assert.equal(code, 0);
  assert.match(
    output,
    /\nThe model runtime could not be installed: the npm registry cannot be reached \(ENOTFOUND\)\. .*models:install\n$/,
  );
  assert.match(runtimeProblem(checkoutModels(offline.models))!, /not installed on this server.*npm run models:install/);

  const broken = createModels(
    `${INSTALLS_RUNTIME}; echo 'throw new Error("libc.so.6: version GLIBC_9 not found")' > ${RUNTIME}/index.js`,
  );
  assert.match((await broken.setUp(['--dev'])).output, /does not work on this machine .*GLIBC_9 not found/);
  assert.match(runtimeProblem(checkoutModels(broken.models))!, /GLIBC_9/);
  assert.equal((await broken.setUp(['--dev'])).output, '', 'it is not tried again and again');
});

test('the running service installs the model runtime, says so to callers meanwhile, and is stopped at any time', async () => {
  const { root, models, calls } = createModels(`sleep 0.1; [ -e go ] || sleep 600; ${INSTALLS_RUNTIME}`);
  const npmEnv = { PATH: join(root, 'tools') + delimiter + process.env.PATH };
  const lines: string[] = [];
  const log = {
    info: (text: unknown) => lines.push(String(text)),
    warn: (text: unknown) => lines.push(JSON.stringify(text)),
  } as never;
  const stop = new AbortController();
  const first = installModels({ installModels: true, npmEnv, folder: models }, log, stop.signal);
  while (calls().length === 0) await sleep(20);
  assert.match(runtimeProblem(checkoutModels(models))!, /is being installed/);
  stop.abort();
  await first;

  writeFileSync(join(models, 'go'), '');
  rmSync(join(models, '.setup.lock'), { recursive: true });
  await installModels({ installModels: false, npmEnv, folder: models }, log, AbortSignal.timeout(60_000));
  assert.deepEqual(checkoutModels(models).state(), { is: 'missing' });
  await installModels({ installModels: true, npmEnv, folder: models }, log, AbortSignal.timeout(60_000));
  assert.deepEqual(checkoutModels(models).state(), { is: 'ready' });
  assert.deepEqual(lines.at(-1), 'the model runtime is installed');
});
