// Loads Playwright with the first browser: it takes 70 MB, which a service without browsers never needs.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { lazy } from '../../../util/lazy.ts';

/**
 * Its bundles in the order in which each needs those before, so that each can have a turn of the event loop for itself. With
 * `require`, since `import` would search megabytes of source for the names of exports first.
 */
const BUNDLES = ['playwright-core/lib/utilsBundle', 'playwright-core/lib/coreBundle', 'playwright-core'];

export const loadPlaywright = lazy(() => loadInTurns(createRequire(import.meta.url)));

export async function loadInTurns(require: (name: string) => unknown): Promise<typeof import('playwright-core')> {
  let loaded: unknown;
  for (const name of BUNDLES) {
    // Before the first one as well: two turns after a message of a socket belong to the same round of the event loop.
    await setImmediate();
    loaded = require(name);
  }
  return loaded as typeof import('playwright-core');
}
