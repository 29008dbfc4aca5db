// Installs the npm packages as their users do, from the registry of this machine and with an empty cache: npx with Node 24
// and with this machine's own, if that is older; then both packages for all projects. Prints sizes and times.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findProgram } from '../../../src/runtime/programs/find-program.ts';
import { packModels, packProject } from '../../../test/support/packed.ts';
import { ROOT } from '../../../test/support/program.ts';
import { send } from '../../../test/support/web/reply.ts';
import { startWeb, type Web } from '../../../test/support/web.ts';
import { folderBytes, makeMachine, type Ran, run, SYSTEM_PATH } from './machine.ts';

interface Files {
  trawl: string;
  models: string;
}

const PAGE = '<title>A page</title><main><h1>Packed</h1><p>Written by Marta Lindqvist in Lisbon.</p></main>';
const MARKDOWN = '# Packed\n\nWritten by Marta Lindqvist in Lisbon.';

export async function packaged(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-soak-package-'));
  const web = await startWeb({ 'package.test': { '/page': (exchange) => send(exchange, PAGE) } });
  try {
    const files = { trawl: packProject(join(folder, 'trawl')).file, models: packModels(join(folder, 'models')) };
    for (const file of Object.values(files)) console.log(`${basename(file)}: ${megabytes(statSync(file).size)}`);
    const problems: string[] = [];
    for (const node of nodes()) problems.push(...(await tryNpx(node, folder, files, web)));
    return [...problems, ...(await tryGlobal(folder, files, web))];
  } finally {
    await web.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Node of the project, and an older one if this machine has it. */
function nodes(): string[] {
  const own = findProgram(['node'], SYSTEM_PATH);
  return own && versionOf(own) !== versionOf(process.execPath) ? [process.execPath, own] : [process.execPath];
}

const versionOf = (node: string): string => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

async function tryNpx(node: string, folder: string, { trawl }: Files, web: Web): Promise<string[]> {
  const machine = makeMachine(folder, node, web.settings);
  // npx takes an absolute path for a program to run.
  const file = `./${basename(trawl)}`;
  copyFileSync(trawl, join(machine.home, file));
  const what = `npx with Node ${versionOf(node)}`;
  const scrape = ['--yes', file, 'scrape', web.url('package.test', '/page')];
  const first = await run(machine, 'npx', scrape);
  const second = await run(machine, 'npx', scrape);
  const doctor = await run(machine, 'npx', ['--yes', file, 'doctor', '--json']);
  const [installed] = readdirSync(join(machine.npmCache, '_npx')).map((name) => join(machine.npmCache, '_npx', name));
  console.log(
    `${what}: Markdown after ${seconds(first)}, then after ${seconds(second)}; ${megabytes(folderBytes(installed!))} installed, ${megabytes(folderBytes(join(machine.npmCache, '_cacache')))} in the cache of npm`,
  );
  return [
    ...[first, second].flatMap((ran) => (ran.stdout.trim() === MARKDOWN ? [] : [failed(`${what}: no Markdown`, ran)])),
    ...(/"text": "Node 2[4-9]\./.test(doctor.stdout) ? [] : [failed(`${what}: doctor`, doctor)]),
    ...otherVersions(installed!).map((each) => `${what}: ${each}`),
    ...(existsSync(join(machine.home, '.trawl')) ? [`${what}: data is in the current folder`] : []),
  ];
}

/** Packages that are not what was tested. */
function otherVersions(installed: string): string[] {
  const versionsOf = (file: string) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> };
    return Object.entries(packages).flatMap(([path, { version }]) => [
      `${path.split('node_modules/').at(-1)} ${version}`,
    ]);
  };
  const locked = new Set(versionsOf(join(ROOT, 'package-lock.json')));
  return versionsOf(join(installed, 'node_modules/.package-lock.json'))
    .filter((each) => !locked.has(each) && !each.startsWith('trawl '))
    .map((each) => `${each} is not in package-lock.json`);
}

/** For all projects of a user, with the models. */
async function tryGlobal(folder: string, files: Files, web: Web): Promise<string[]> {
  const machine = makeMachine(folder, process.execPath, web.settings);
  const prefix = join(machine.home, 'all');
  const install = (file: string) =>
    run(machine, 'npm', ['install', '--global', '--prefix', prefix, '--ignore-scripts', file]);
  const trawl = (...args: string[]) => run(machine, join(prefix, 'bin/trawl'), args);
  const redact = () => trawl('scrape', web.url('package.test', '/page'), '--redact-pii');

  const installs = [await install(files.trawl)];
  const without = await redact();
  installs.push(await install(files.models));
  const redacted = await redact();
  console.log(
    `npm install --global: ${installs.map(seconds).join(', with the models ')}; ${megabytes(folderBytes(prefix))} installed`,
  );
  return [
    ...installs.flatMap((ran) => (ran.code === 0 ? [] : [failed('npm install --global', ran)])),
    ...(/npm install --global --ignore-scripts \.\/trawl-models/.test(without.stderr)
      ? []
      : [failed('redactPII without the models', without)]),
    ...(redacted.code === 0 && !/Marta|Lindqvist/.test(redacted.stdout) ? [] : [failed('redactPII', redacted)]),
  ];
}

const failed = (what: string, { code, stdout, stderr }: Ran): string =>
  `${what} (exit code ${code}): ${stdout.slice(-500)}${stderr.slice(-500)}`;
const seconds = (ran: Ran): string => `${ran.seconds.toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
