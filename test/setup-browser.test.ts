// How the set-up script comes by a browser and by the sandbox, in a small project of its own whose npm, apt-get and browsers are stand-ins.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const IS_ROOT = process.getuid?.() === 0;

function createProject(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'trawl-setup-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const tools = join(root, 'tools');
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), '{}');
  mkdirSync(tools);
  const addTool = (name: string, script: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  addTool('npm', '/bin/mkdir -p node_modules/.bin');
  return {
    root,
    tools,
    addTool,
    /** What it says, but for what it says about packages. */
    setUp(env: Record<string, string> = {}) {
      const script = join(root, 'scripts', 'setup.mjs');
      const { status, stderr } = spawnSync(process.execPath, [script], {
        env: { PATH: tools, ...env },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      return stderr.replace(/^Setting up .*\nSet-up done in .*\n/, '');
    },
    installs: () => (existsSync(join(root, 'apt')) ? readFileSync(join(root, 'apt'), 'utf8').trim().split('\n') : []),
  };
}

test('a browser on the path, or one that is named, is enough', (t) => {
  const { addTool, setUp, tools } = createProject(t);
  addTool('chrome-of-mine', '');
  assert.equal(setUp({ CHROMIUM_PATH: join(tools, 'chrome-of-mine') }), '');
  addTool('chromium', '');
  assert.equal(setUp(), '');
});

test('without a browser one line says what will not work, once, and the set-up goes on', (t) => {
  const { addTool, setUp } = createProject(t);
  addTool('apt-get', 'exit 1');
  assert.match(setUp(), /There is no Chromium on this machine, so .* will not work\..*\n$/);
  assert.equal(setUp(), '');
});

test('as root, the headless shell and two fonts are installed once', { skip: !IS_ROOT && 'needs root' }, (t) => {
  const { root, tools, addTool, setUp, installs } = createProject(t);
  const installed = join(tools, 'chromium-headless-shell');
  addTool(
    'apt-get',
    `case "$*" in *install*) echo "$*" >> ${root}/apt; echo > ${installed}; /bin/chmod +x ${installed};; esac`,
  );
  assert.match(setUp(), /^Installing a browser/);
  assert.equal(setUp(), '');
  assert.equal(installs().length, 1);
  assert.match(installs()[0]!, /install chromium-headless-shell fonts-liberation fonts-dejavu-core$/);
});

test('nothing is looked for when the browser is switched off', (t) => {
  const { addTool, root, setUp, installs } = createProject(t);
  addTool('apt-get', `echo "$*" >> ${root}/apt`);
  assert.equal(setUp({ TRAWL_BROWSER: 'off' }), '');
  assert.deepEqual(installs(), []);
});

test('the sandbox is looked for only where code of callers may run, and missed once', (t) => {
  const { addTool, setUp } = createProject(t);
  addTool('chromium', '');
  addTool('apt-get', 'exit 1');
  assert.equal(setUp({ TRAWL_BROWSER_EXECUTE: 'off' }), '');
  assert.match(setUp({ TRAWL_BROWSER_EXECUTE: 'node' }), /There is no bubblewrap .* Install bubblewrap\.\n$/);
  assert.equal(setUp({ TRAWL_BROWSER_EXECUTE: 'node' }), '');
});

test('as root, bubblewrap is installed for those who let code run', { skip: !IS_ROOT && 'needs root' }, (t) => {
  const { root, tools, addTool, setUp, installs } = createProject(t);
  const installed = join(tools, 'bwrap');
  addTool('chromium', '');
  addTool(
    'apt-get',
    `case "$*" in *install*) echo "$*" >> ${root}/apt; echo > ${installed}; /bin/chmod +x ${installed};; esac`,
  );
  assert.match(setUp({ TRAWL_BROWSER_EXECUTE: 'on' }), /^Installing bubblewrap/);
  assert.equal(setUp({ TRAWL_BROWSER_EXECUTE: 'on' }), '');
  assert.match(installs().join(), /^[^,]*install bubblewrap$/);
});
