// The npm package: what is in it, and that its compiled code does what the sources do, below node_modules.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { BUILD_ONLY } from '../scripts/package/manifest.ts';
import { findProgram } from '../src/runtime/programs/find-program.ts';
import { packProject, unpackInto } from './support/packed.ts';
import { ROOT } from './support/program.ts';
import { type RunningService, startServiceWith } from './support/service.ts';
import { send } from './support/web/reply.ts';
import { startWeb, type Web } from './support/web.ts';

const MAX_BYTES = 15 * 1024 * 1024;
const SYSTEM_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);
/** The Node of this machine, which may be older than the one that the program needs. */
const SYSTEM_NODE = findProgram(['node'], SYSTEM_PATH);
const DOCX = 'test/documents/docx--lists-tables-comments';

const folder = mkdtempSync(join(tmpdir(), 'trawl-package-'));
const home = join(folder, 'home');
let file: string;
let project: string;
let root: string;
let web: Web;

before(async () => {
  mkdirSync(home);
  ({ file, project } = packProject(folder));
  root = unpackInto(folder, file);
  web = await startWeb({
    'package.test': {
      '/page': (exchange) => send(exchange, '<title>A page</title><main><h1>Packed</h1><p>Some text.</p></main>'),
      '/script': (exchange) =>
        send(exchange, '<title>A page</title><body><script>document.body.innerHTML = "<h1>By a script</h1>"</script>'),
      '/file.docx': (exchange) =>
        send(exchange, readFileSync(join(ROOT, DOCX, 'source.docx')), { type: 'application/octet-stream' }),
    },
  });
});
after(async () => {
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Relative to the folder of the package. */
const packedPaths = (): string[] =>
  execFileSync('tar', ['tzf', file], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));

const run = (node: string, ...args: string[]) =>
  execFileSync(node, [join(root, 'bin/trawl.mjs'), ...args], {
    cwd: folder,
    env: { PATH: SYSTEM_PATH, HOME: home },
    encoding: 'utf8',
  });

test('the package is small, and holds the compiled program and what it reads, but no sources and no tests', () => {
  assert.ok(statSync(file).size < MAX_BYTES, `${statSync(file).size} bytes`);
  const paths = packedPaths();
  const folders = new Set(paths.map((path) => path.split('/')[0]));
  const expected = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'THIRD-PARTY-NOTICES.txt',
    'bin',
    'data',
    'dist',
    'docs',
    'package.json',
  ];
  assert.deepEqual([...folders].sort(), [...expected, 'web']);
  assert.deepEqual(
    paths.filter((path) => /\.(?:ts|onnx|map)$|\.test\.|VERIFIED/.test(path)),
    [],
  );
  assert.ok(paths.includes('web/console/built/page.html'));
  assert.ok(!paths.some((path) => path.startsWith('web/console/') && !path.startsWith('web/console/built/')));
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const missing = sources
    .filter((name) => /\.\w+$/.test(name))
    .filter((name) => !existsSync(join(root, 'dist', name.replace(/\.ts$/, '.mjs'))));
  assert.deepEqual(missing, []);
});

test('no file names a folder of the machine that packed it, or a package registry', () => {
  const here = [ROOT, folder, homedir()].filter((path) => path.length > 1);
  const registry = /\bregistry\.(?!mjs|test)\w+\.\w+/;
  const found = packedPaths().filter((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return registry.test(text) || here.some((each) => text.includes(`${each}/`));
  });
  assert.deepEqual(found, []);
});

test('packing leaves the project as it was, and users get the locked versions', () => {
  const original = readFileSync(join(ROOT, 'package.json'), 'utf8');
  assert.equal(readFileSync(join(project, 'package.json'), 'utf8'), original);
  assert.ok(!existsSync(join(project, 'dist')));
  const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([devDependencies, scripts], [undefined, undefined]);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  assert.equal(dependencies['find-my-way'], packages['node_modules/find-my-way'].version);
  for (const name of BUILD_ONLY) assert.ok(!(name in dependencies), name);
  for (const [name, version] of Object.entries(dependencies)) assert.match(String(version), /^\d+\.\d+\.\d+/, name);
});

test('doctor runs from the package and looks for the data in the folder of the user', () => {
  assert.match(run(process.execPath, '--version'), /^(?:trawl )?\d+\.\d+\.\d+\n$/i);
  const checks: { check: string; text: string }[] = JSON.parse(run(process.execPath, 'doctor', '--json')).checks;
  const textOf = (name: string) => checks.find(({ check }) => check === name)!.text;
  assert.match(textOf('data folder'), new RegExp(`^${join(home, '.local/share/trawl')} `));
  assert.match(textOf('versions'), /^Node (?:2[4-9]|[3-9]\d)\./);
  assert.ok(existsSync(join(home, '.cache/trawl')), 'compiled modules are cached in the folder of the user');
});

test('doctor says how to install what the package does not bring, and nothing is installed by itself', () => {
  const lines = execFileSync(process.execPath, [join(root, 'bin/trawl.mjs'), 'doctor'], {
    cwd: folder,
    env: { PATH: join(folder, 'no-programs'), HOME: home },
    encoding: 'utf8',
  });
  assert.match(lines, /no Chromium .*\n.* On Debian: apt-get install chromium-headless-shell /);
  assert.match(lines, /bubblewrap .*\n.* On Debian: apt-get install bubblewrap\n/);
  assert.match(lines, /models .* npm install --global --ignore-scripts \.\/trawl-models-\d+\.\d+\.\d+\.tgz\n/);
  assert.deepEqual(readdirSync(home).sort(), ['.cache']);
});

test('a page, a file and a page with scripts become Markdown with the compiled code', async () => {
  const browser = findProgram(['chromium-headless-shell', 'chromium', 'google-chrome'], SYSTEM_PATH);
  const service = await startPackaged(process.execPath, { TRAWL_BROWSER: browser ? 'auto' : 'off' });
  try {
    assert.equal(await markdownOf(service, '/page'), '# Packed\n\nSome text.');
    const expected = readFileSync(join(ROOT, DOCX, 'expected.md'), 'utf8').trim();
    const parsed = await markdownOf(service, '/file.docx');
    // Links within the file have its address.
    assert.equal(parsed.replace(web.url('package.test', '/file.docx'), 'https://example.com/source.docx'), expected);
    if (browser) assert.equal(await markdownOf(service, '/script', { waitFor: 1 }), '# By a script');
    else console.log('No browser was found, so no page was rendered.');
  } finally {
    assert.equal(await service.stop(), 0);
  }
});

test('an older Node starts the program with the Node that npm has installed', async (t) => {
  const version = SYSTEM_NODE && execFileSync(SYSTEM_NODE, ['--version'], { encoding: 'utf8' });
  if (!version || /^v(?:2[4-9]|[3-9]\d)/.test(version)) return t.skip('this machine has no older Node');
  // As its users do: there is no service, so the command starts one for itself.
  const { stdout } = await promisify(execFile)(
    SYSTEM_NODE,
    [join(root, 'bin/trawl.mjs'), 'scrape', web.url('package.test', '/page')],
    { cwd: folder, env: { ...web.settings, PATH: SYSTEM_PATH, HOME: home, TRAWL_BROWSER: 'off' } },
  );
  assert.equal(stdout.trim(), '# Packed\n\nSome text.');
  assert.ok(existsSync(join(home, '.local/share/trawl')), 'data is in the folder of the user');
  assert.ok(!existsSync(join(folder, '.trawl')));
});

/** By the command that users run. */
const startPackaged = (node: string, settings: Record<string, string>): Promise<RunningService> =>
  startServiceWith(
    web,
    { ...settings, HOME: home, PATH: SYSTEM_PATH },
    { root: folder, checkAnswers: false, command: () => [node, [join(root, 'bin/trawl.mjs')]] },
  );

async function markdownOf(service: RunningService, path: string, options = {}): Promise<string> {
  const answer = await service.scrape({ url: web.url('package.test', path), ...options });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (answer.body as { data: { markdown: string } }).data.markdown.trim();
}
