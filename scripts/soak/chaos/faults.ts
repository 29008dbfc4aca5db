// What happens to the service during a chaos run. Each fault ends before it returns: the service runs, the disk has room,
// the clock is right.
import { closeSync, existsSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendants } from '../../../test/support/browser/browser.ts';
import type { Dice } from '../../../test/support/web/words.ts';
import type { World } from './world.ts';

export interface Fault {
  weight: number;
  needsBrowser?: true;
  needsOwnDisk?: true;
  run(world: World, dice: Dice): Promise<string>;
}

const DAY = 86_400_000;
const CHUNK = Buffer.alloc(1024 * 1024);

export const FAULTS: Record<string, Fault> = {
  'kill -9': {
    weight: 4,
    async run(world) {
      await world.restart('kill');
      return 'restarted';
    },
  },
  SIGTERM: {
    weight: 2,
    async run(world) {
      await world.restart('stop');
      return 'restarted';
    },
  },
  'clock jump': {
    weight: 3,
    async run(world, dice) {
      const [name, shift] = dice.pick([['+1 day', DAY] as const, ['-1 day', -DAY] as const]);
      const restarts = dice.roll(3) === 0;
      world.setClock(shift);
      await delay(2_000 + dice.roll(6_000));
      if (restarts) await world.restart('kill');
      await delay(1_000);
      world.setClock(0);
      return restarts ? `${name} with a restart` : name;
    },
  },
  'disk full': { weight: 3, needsOwnDisk: true, run: fillDisk },
  'damaged index': {
    weight: 2,
    async run(world, dice) {
      await world.restart(dice.pick(['kill', 'stop'] as const), () => damage(join(world.dataDir, 'index.db'), dice));
      return 'restarted';
    },
  },
  'browser death': {
    weight: 4,
    needsBrowser: true,
    async run(world, dice) {
      const pids = descendants((await world.service()).pid);
      if (pids.length === 0) return 'none was running';
      try {
        process.kill(dice.pick(pids), 'SIGKILL');
      } catch {
        return 'it had ended';
      }
      return 'killed';
    },
  },
};

/** Leaves no room for a while, often with another fault in the meantime. */
async function fillDisk(world: World, dice: Dice): Promise<string> {
  const filler = join(world.dataDir, 'filler');
  const file = openSync(filler, 'w');
  world.isDiskFull = true;
  try {
    const restarts = dice.roll(4) === 0;
    // Another program may take whatever room is made, or not.
    const isGreedy = dice.roll(3) === 0;
    writeUntilFull(file);
    for (let ms = 3_000 + dice.roll(5_000); ms > 0; ms -= 250) {
      if (isGreedy) writeUntilFull(file);
      await delay(250);
    }
    if (restarts) await world.restart('kill', () => ftruncateSync(file));
    return `${isGreedy ? 'again and again' : 'once'}${restarts ? ' with a restart' : ''}`;
  } finally {
    closeSync(file);
    rmSync(filler, { force: true });
    // What was refused or not kept because of it may still be under way.
    await delay(3_000);
    world.isDiskFull = false;
    world.diskFulls += 1;
  }
}

function writeUntilFull(file: number): void {
  for (let chunk = CHUNK; chunk.length > 0; ) {
    try {
      writeSync(file, chunk);
    } catch {
      chunk = chunk.subarray(0, chunk.length >> 1);
    }
  }
}

function damage(file: string, dice: Dice): void {
  if (!existsSync(file)) return;
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  for (let times = 1 + dice.roll(20); times > 0; times -= 1) {
    writeSync(
      handle,
      Buffer.from(Array.from({ length: 64 }, () => dice.roll(256))),
      0,
      64,
      dice.roll(Math.max(1, size - 64)),
    );
  }
  closeSync(handle);
}
