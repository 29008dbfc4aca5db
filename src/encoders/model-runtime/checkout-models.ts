// The models of a checkout, in `models/`: scripts/models.mjs installs their runtime there.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../util/clock.ts';
import type { InstalledModels } from './installed-models.ts';

export const MODELS_FOLDER = join(import.meta.dirname, '../../../models');
// The process that installs it refreshes its lock every two seconds.
const LOCK_MS = 30_000;

export const checkoutModels = (folder = MODELS_FOLDER): InstalledModels => ({
  folder,
  installCommand: 'npm run models:install',
  state() {
    const stamp = readStamp(join(folder, 'node_modules', '.trawl-setup.json'));
    if (stamp) return stamp.problem === undefined ? { is: 'ready' } : { is: 'unusable', problem: stamp.problem };
    return { is: isBeingInstalled(join(folder, '.setup.lock')) ? 'installing' : 'missing' };
  },
});

/** The installer writes it last, so it proves a complete install. */
function readStamp(file: string): { problem?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isBeingInstalled(lock: string): boolean {
  try {
    return existsSync(lock) && systemClock.now() - statSync(lock).mtimeMs < LOCK_MS;
  } catch {
    return false;
  }
}
