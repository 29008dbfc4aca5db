// Installs clients of exact versions into a cache folder, once. The project's own packages are not touched.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../test/support/program.ts';
import { NotInstalled } from './client.ts';

const CACHE = join(ROOT, 'node_modules/.cache/clients');
const INSTALL_MS = 180_000;
/** For clients with many dependencies, which would delay every run where they do not install. */
export const SHORT_INSTALL_MS = 60_000;
const NPM = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--legacy-peer-deps'];
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];

/** Returns the folder with the packages. */
export function installNpm(name: string, dependencies: Record<string, string>): string {
  const folder = install(name, dependencies, (into) => {
    writeFileSync(join(into, 'package.json'), JSON.stringify({ private: true, dependencies }));
    run('npm', [...NPM, '--loglevel=error'], into);
  });
  return join(folder, 'node_modules');
}

/** Returns the Python program of an environment with the packages. */
export function installPip(name: string, requirements: string[], limitMs = INSTALL_MS): string {
  const folder = install(name, requirements, (into) => {
    run('python3', ['-m', 'venv', into], into);
    run(join(into, 'bin/python'), [...PIP, ...requirements], into, limitMs);
  });
  return join(folder, 'bin/python');
}

function install(name: string, wanted: object, fill: (folder: string) => void): string {
  const folder = join(CACHE, name);
  // The stamp is written last, so an interrupted installation starts again.
  const stamp = join(folder, 'installed.json');
  const text = JSON.stringify(wanted);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return folder;
  console.log(`Installing ${name} (once) ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    fill(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(stamp, text);
  return folder;
}

function run(program: string, args: string[], cwd: string, limitMs = INSTALL_MS): void {
  const { status, signal, error, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return;
  if (signal) throw new NotInstalled(`it took longer than ${limitMs / 1000} s`);
  const line = stderr?.split('\n').find((each) => /error/i.test(each)) ?? `${program} failed`;
  throw new NotInstalled((error?.message ?? line).replace(/https?:\S+/g, 'the registry'));
}
