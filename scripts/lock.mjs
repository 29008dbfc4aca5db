// One process at a time in a folder: a lock that its owner keeps fresh, and that is taken over when the owner has died.
// Runs before anything is installed: no dependencies, and nothing newer than Node 18 knows.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 2_000;
// Longer than any pause of a living owner. Needed because a dead owner's pid may belong to somebody else by now.
const DEAD_MS = 30_000;

/** Does the work while it holds `lock` (a folder that must not exist otherwise); `onWait` is called once if it has to wait. */
export async function withLock(lock, onWait, work) {
  for (let told = false; !take(lock); told = true) {
    if (!told) onWait();
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

/** Only one of several waiting processes can make the folder named after the dead owner, and it checks again once it has. */
function inherit(lock) {
  try {
    const dead = owner(lock);
    if (isAlive(dead, lock)) return false;
    mkdirSync(join(lock, `after-${dead}`));
    if (owner(lock) !== dead) return false;
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    // The lock went away, or another process was faster.
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
  // A lock without a pid is being made right now.
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
    // Somebody removed the lock by hand: their decision, and no reason to stop half-way.
  }
}
