// Installs programs of exact versions into a folder of their own, once. The project's own packages are not touched.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The program cannot be installed on this machine; the message says why. */
export class NotInstalled extends Error {}

const INSTALL_MS = 180_000;
/** For programs with many dependencies, which would delay every run where they do not install. */
export const SHORT_INSTALL_MS = 60_000;
/** For those that take minutes on a slow machine. */
export const LONG_INSTALL_MS = 600_000;
// Compiling a crate with all its dependencies takes minutes on a slow machine.
const COMPILE_MS = 1_200_000;
const NPM = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--legacy-peer-deps'];
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];

/** Returns the folder with the packages. */
export function installNpm(folder: string, dependencies: Record<string, string>): string {
  install(folder, dependencies, () => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    run('npm', [...NPM, '--loglevel=error'], folder);
  });
  return join(folder, 'node_modules');
}

/** Returns the Python program of an environment with the packages. */
export function installPip(folder: string, requirements: string[], limitMs = INSTALL_MS): string {
  install(folder, requirements, () => {
    run('python3', ['-m', 'venv', folder], folder);
    run(join(folder, 'bin/python'), [...PIP, ...requirements], folder, limitMs);
  });
  return join(folder, 'bin/python');
}

/** Compiles the crate in `source` and returns the folder with its programs. */
export function installCargo(folder: string, source: string): string {
  const files = readdirSync(source).map((file) => [file, readFileSync(join(source, file), 'utf8')] as const);
  install(folder, files, () => {
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
    run('cargo', ['build', '--release', '--target-dir', folder], folder, COMPILE_MS);
  });
  return join(folder, 'release');
}

function install(folder: string, wanted: object, fill: () => void): void {
  // The stamp is written last, so an interrupted installation starts again.
  const stamp = join(folder, 'installed.json');
  const text = JSON.stringify(wanted);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return;
  console.log(`Installing ${basename(folder)} (once) ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    fill();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(stamp, text);
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
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new NotInstalled(`${program} was not found`);
  const line = stderr?.split('\n').find((each) => /error/i.test(each)) ?? `${program} failed`;
  throw new NotInstalled((error?.message ?? line).replace(/https?:\S+/g, 'the registry'));
}
