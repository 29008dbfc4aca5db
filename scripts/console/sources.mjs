// What the console is built from, and whether the built files are up to date. Runs on Node 18, like all of set-up.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const CONSOLE = join(ROOT, 'web', 'console');
export const BUILT = join(CONSOLE, 'built');
/** Written last, with the hash of the sources. */
export const STAMP = 'sources.txt';

/** What other programs are told. */
export const PROGRAMS = join(ROOT, 'data', 'programs.json');

/** The forms are made from the contracts. The lock file stands for the packages. */
const SOURCES = [
  CONSOLE,
  join(ROOT, 'src', 'contracts'),
  join(ROOT, 'src', 'cli'),
  join(ROOT, 'src', 'mcp'),
  join(ROOT, 'scripts', 'console'),
];

/** Also true where there is nothing to build it from, as in a part of an image. */
export const isConsoleBuilt = () =>
  !existsSync(CONSOLE) ||
  (existsSync(join(BUILT, STAMP)) && readFileSync(join(BUILT, STAMP), 'utf8') === sourcesHash());

export function sourcesHash() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of [...SOURCES.flatMap(filesOf), PROGRAMS].sort())
    hash.update(`${file.slice(ROOT.length)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path.startsWith(BUILT) ? [] : filesOf(path);
    return [path];
  });
}
