// The program under test: its entry file, and an environment without the developer's own settings.
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const MAIN = join(ROOT, 'src/main.ts');

const { PATH, HOME, TMPDIR } = process.env;

/** As in `npm start`: compiled modules are cached, and malloc gives memory back. */
export const PROGRAM_ENV = {
  PATH,
  HOME,
  TMPDIR,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/trawl'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
};

/** As in `npm start`: a small young generation. */
export const PROGRAM_FLAGS = ['--max-semi-space-size=8'];
