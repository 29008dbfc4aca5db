// How the set-up script installs system programs, in a temporary project with fake npm, apt-get and programs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fullTest, test } from './support/full-run.ts';

const ROOT = join(import.meta.dirname, '..');
const IS_ROOT = process.getuid?.() === 0;
const NEEDS_ROOT = { skip: !IS_ROOT && 'needs root' };
const ALL_OFF = { TRAWL_BROWSER: 'off', TRAWL_OCR: 'off', TRAWL_FFMPEG: 'off', TRAWL_YT_DLP: 'off' };

function createProject(t: TestContext, program = '') {
  const root = mkdtempSync(join(tmpdir(), 'trawl-setup-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const tools = join(root, 'tools');
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
  cpSync(join(ROOT, 'data/system-packages.json'), join(root, 'data/system-packages.json'));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  mkdirSync(tools);
  const addTool = (name: string, script: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  addTool('npm', '/bin/mkdir -p node_modules/.bin');
  // It cannot be switched off, so it is there unless the test is about it.
  if (program !== 'bwrap') addTool('bwrap', '');
  return {
    root,
    tools,
    addTool,
    /** Returns its output without the lines about packages. Only the programs that the test asks for are set up. */
    setUp(env: Record<string, string> = {}) {
      const script = join(root, 'scripts', 'setup.mjs');
      const { status, stderr } = spawnSync(process.execPath, [script], {
        env: { PATH: tools, ...ALL_OFF, ...env },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      return stderr.replace(/^Setting up .*\nSet-up done in .*\n/, '');
    },
    /** An apt-get that installs an empty program of this name. */
    addApt(program: string) {
      const file = join(tools, program);
      addTool(
        'apt-get',
        `case "$*" in *install*) echo "$*" >> ${root}/apt; echo > ${file}; /bin/chmod +x ${file};; esac`,
      );
    },
    installs: () => (existsSync(join(root, 'apt')) ? readFileSync(join(root, 'apt'), 'utf8').trim().split('\n') : []),
  };
}

test('a browser on the PATH or a configured one is enough', (t) => {
  const { addTool, setUp, tools } = createProject(t);
  addTool('chrome-of-mine', '');
  assert.equal(setUp({ TRAWL_BROWSER: 'auto', CHROMIUM_PATH: join(tools, 'chrome-of-mine') }), '');
  addTool('chromium', '');
  assert.equal(setUp({ TRAWL_BROWSER: '' }), '');
});

test('a missing program causes one line about what will not work, once, and the set-up continues', (t) => {
  for (const [wanted, line, program] of [
    [{ TRAWL_BROWSER: 'auto' }, /Chromium was not found, so .* will not work\..*\n$/],
    [{}, /bubblewrap \(bwrap\) was not found, so .* Install bubblewrap\.\n$/, 'bwrap'],
    [{ TRAWL_OCR: 'auto' }, /tesseract was not found, so .* in English only\. Install tesseract-ocr\.\n$/],
    [
      { TRAWL_YT_DLP: 'auto', TRAWL_FFMPEG: '/an/ffmpeg' },
      /yt-dlp was not found, so .* Install yt-dlp for other sites\.\n$/,
    ],
    [{ TRAWL_FFMPEG: 'auto' }, /ffmpeg was not found, so .* will not work\. Install ffmpeg\.\n$/],
  ] as const) {
    const { addTool, setUp } = createProject(t, program);
    addTool('apt-get', 'exit 1');
    assert.match(setUp(wanted), line);
    assert.equal(setUp(wanted), '');
  }
});

fullTest('as root, missing programs are installed once', NEEDS_ROOT, (t) => {
  for (const [wanted, program, packages] of [
    [
      { TRAWL_BROWSER: 'auto' },
      'chromium-headless-shell',
      'chromium-headless-shell fonts-liberation fonts-dejavu-core',
    ],
    [{}, 'bwrap', 'bubblewrap'],
    [{ TRAWL_OCR: 'auto' }, 'tesseract', 'tesseract-ocr tesseract-ocr-osd tesseract-ocr-eng'],
    [{ TRAWL_FFMPEG: 'auto' }, 'ffmpeg', 'ffmpeg'],
  ] as const) {
    const { addApt, setUp, installs } = createProject(t, program);
    addApt(program);
    assert.match(setUp(wanted), /^Installing .* with apt-get \(first start only\) \.\.\.\n$/);
    assert.equal(setUp(wanted), '');
    assert.equal(installs().length, 1);
    assert.ok(installs()[0]!.endsWith(` install ${packages}`), installs()[0]);
  }
});

test('tesseract is installed with the packages of the configured languages', NEEDS_ROOT, (t) => {
  const { addApt, setUp, installs } = createProject(t);
  addApt('tesseract');
  setUp({ TRAWL_OCR: 'auto', TRAWL_OCR_LANGUAGES: 'deu, chi_sim,--download-only' });
  assert.match(installs()[0]!, / install tesseract-ocr tesseract-ocr-osd tesseract-ocr-deu tesseract-ocr-chi-sim$/);
});

test('the package lists are fetched once, however many programs are missing', NEEDS_ROOT, (t) => {
  const { addTool, root, setUp, installs } = createProject(t);
  addTool('apt-get', `case "$*" in *update*) echo "$*" >> ${root}/apt; exit 1;; *install*) exit 1;; esac`);
  setUp({ TRAWL_BROWSER: 'auto', TRAWL_OCR: 'auto', TRAWL_FFMPEG: 'auto' });
  assert.equal(installs().length, 1);
});

test('programs that are switched off or configured by path are not looked for', (t) => {
  const { addTool, root, setUp, installs } = createProject(t);
  addTool('apt-get', `echo "$*" >> ${root}/apt`);
  assert.equal(setUp(), '');
  assert.equal(setUp({ TRAWL_BROWSER: '/a/chrome', TRAWL_OCR: '/a/tesseract', TRAWL_FFMPEG: '/an/ffmpeg' }), '');
  assert.deepEqual(installs(), []);
});
