// The program under test: its entry file, and an environment without the developer's own settings.
import { join } from 'node:path';
import { FLAGS, runtimeEnvironment } from '../../bin/runtime.mjs';

export const ROOT = join(import.meta.dirname, '../..');
export const MAIN = join(ROOT, 'src/main.ts');

// With `npm run coverage`, programs that tests start are covered, too.
const { PATH, HOME, TMPDIR, NODE_V8_COVERAGE } = process.env;

/** As in `npm start`, but for what a start may install. */
export const PROGRAM_ENV = {
  ...{ PATH, HOME, TMPDIR, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }) },
  TRAWL_INSTALL_MODELS: 'off',
  // Its tests turn it on: how pages are ranked would depend on when they have got their vectors.
  TRAWL_SEMANTIC: 'off',
  ...runtimeEnvironment(ROOT),
};
export const PROGRAM_FLAGS = FLAGS;
