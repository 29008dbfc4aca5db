// The runtime of the models in `models/`: whether scripts/models.mjs has installed it, and if not, why.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../util/clock.ts';

export const MODELS_FOLDER = join(import.meta.dirname, '../../../models');
export const INSTALL_COMMAND = 'npm run models:install';

export type RuntimeState =
  | { is: 'ready' }
  | { is: 'missing' | 'installing' }
  /** Installed, but it does not load on this machine. */
  | { is: 'unusable'; problem: string };

// The process that installs it refreshes its lock every two seconds.
const LOCK_MS = 30_000;

export function runtimeState(folder = MODELS_FOLDER): RuntimeState {
  const stamp = readStamp(join(folder, 'node_modules', '.trawl-setup.json'));
  if (stamp) return stamp.problem === undefined ? { is: 'ready' } : { is: 'unusable', problem: stamp.problem };
  return { is: isBeingInstalled(join(folder, '.setup.lock')) ? 'installing' : 'missing' };
}

/** One sentence for callers if the classifier cannot run now. */
export function runtimeProblem(folder?: string): string | undefined {
  const state = runtimeState(folder);
  if (state.is === 'ready') return undefined;
  if (state.is === 'unusable') return state.problem;
  if (state.is === 'installing') return 'The model runtime is being installed on this server. Try again in a minute.';
  return `The model runtime is not installed on this server. Its operator can install it: ${INSTALL_COMMAND}`;
}

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
