// What has to be decided before the program starts: Node's flags, and the environment that libc and Node read once.
// This is the one place; `npm start`, the `trawl` command, tests and benches all run the program with it.
import { join } from 'node:path';

/**
 * The young generation of every thread: most objects of a page are short-lived, so a small one is collected often and
 * cheaply. It overrides what a thread asks for itself.
 */
export const FLAGS = ['--max-semi-space-size=4'];

/** @param {string} root The folder of the project. */
export const runtimeEnvironment = (root) => ({
  // Compiled modules are cached, which halves the start time and saves the memory of the type stripper in each thread.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'trawl'),
  // glibc: two heaps for all threads, whose memory goes back to the system when it is free.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
});
