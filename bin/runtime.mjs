// What has to be decided before the program starts: its file, Node's flags, and the environment that libc and Node read
// once. This is the one place; `npm start`, the `trawl` command, tests and benches all run the program with it.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The young generation of every thread: most objects of a page are short-lived, so a small one is collected often and
 * cheaply. It overrides what a thread asks for itself.
 */
export const FLAGS = ['--max-semi-space-size=4'];

const sourceOf = (root) => join(root, 'src', 'main.ts');

/**
 * A checkout has the sources. The npm package has them compiled, since Node does not strip types below node_modules.
 * @param {string} root The folder of the project.
 */
export const entryOf = (root) => (existsSync(sourceOf(root)) ? sourceOf(root) : join(root, 'dist', 'main.mjs'));

/** @param {string} root The folder of the project. */
export const runtimeEnvironment = (root) => ({
  ...compileCache(root),
  // glibc: two heaps for all threads, whose memory goes back to the system when it is free.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
});

/** Compiled modules are cached, which halves the start time and saves the memory of the type stripper in each thread. */
function compileCache(root) {
  if (existsSync(sourceOf(root))) return { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'trawl') };
  // The folder of a package may belong to another user. Without a cache, Node only starts more slowly.
  const folder = userCacheFolder(process.env);
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: join(folder, 'trawl') };
}

function userCacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }) {
  try {
    // Not the folder of the data: a cache can be deleted.
    if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Cache');
    if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
    return XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(homedir(), '.cache');
  } catch {
    // This user has no home folder.
    return undefined;
  }
}
