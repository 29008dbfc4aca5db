// The npm package as `npm pack` makes it, from a copy of the project: the checkout is not changed.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildConsoleIfNeeded } from './built-console.ts';
import { ROOT } from './program.ts';

const NEEDED = [
  ...['package.json', 'package-lock.json', 'bin', 'data', 'docs', 'src', 'web'],
  ...['scripts/console', 'scripts/package'],
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'THIRD-PARTY-NOTICES.txt'],
];
/** Hooks are run one by one here: the set-up script in them would install packages. */
const BUILD = ['--disable-warning=ExperimentalWarning', 'scripts/package/build.ts'];
const PACK = ['pack', '--ignore-scripts', '--offline', '--silent'];

export interface Packed {
  /** The copy of the project. */
  project: string;
  /** The packed file. */
  file: string;
}

/** In a new temporary folder, whose removal is up to the caller. */
export function packProject(folder = mkdtempSync(join(tmpdir(), 'trawl-package-'))): Packed {
  buildConsoleIfNeeded();
  const project = join(folder, 'project');
  for (const name of NEEDED) cpSync(join(ROOT, name), join(project, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  execFileSync(process.execPath, BUILD, { cwd: project });
  execFileSync('npm', [...PACK, '--pack-destination', folder], { cwd: project, stdio: 'pipe' });
  execFileSync(process.execPath, [...BUILD, '--remove'], { cwd: project });
  return { project, file: join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!) };
}

/** As npm installs it, but with links to the packages of the checkout. Returns the folder of the package. */
export function unpackInto(folder: string, file: string): string {
  const root = join(folder, 'node_modules', 'trawl');
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['xzf', file, '--strip-components=1', '-C', root]);
  // Only what users get: a package for developers that the program needs would not be found.
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const installed = new Set(readdirSync(join(ROOT, 'node_modules')));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!installed.has(name.split('/')[0]!)) continue;
    const link = join(root, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return root;
}

/** The second package, with the weights. Returns the packed file. */
export function packModels(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', [...PACK, '--pack-destination', folder, join(ROOT, 'models')], { stdio: 'pipe' });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}
