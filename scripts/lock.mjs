// A lock for one process at a time in a folder. Its owner refreshes it, and another process takes over if the owner dies.
// Runs before anything is installed, so it has no dependencies and runs on Node 18.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 2_000;
// Longer than any pause of a living owner. Needed because the pid of a dead owner may have been reused.
const DEAD_MS = 30_000;

/** Runs `work` while holding `lock`, a folder of its own. Calls `onWait` once if it has to wait. */
export async function withLock(lock, onWait, work) {
  for (let hasWaited = false; !take(lock); hasWaited = true) {
    if (!hasWaited) onWait();
    await sleep(200);
  }
  const beat = setInterval(() => keepFresh(lock), BEAT_MS);
  try {
    await work();
  } finally {
    clearInterval(beat);
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return inherit(lock);
    throw error;
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  return true;
}

/** Only one waiting process can create the folder named after the dead owner; it then checks again. */
function inherit(lock) {
  try {
    const dead = owner(lock);
    if (isAlive(dead, lock)) return false;
    mkdirSync(join(lock, `after-${dead}`));
    if (owner(lock) !== dead) return false;
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    // The lock is gone, or another process was faster.
    return false;
  }
}

function owner(lock) {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid, lock) {
  if (Date.now() - statSync(lock).mtimeMs > DEAD_MS) return false;
  // A lock without a pid is just being created.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function keepFresh(lock) {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Somebody removed the lock by hand, which is no reason to stop halfway.
  }
}
