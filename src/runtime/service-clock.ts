// The clock of the service. It keeps its own time, so that a jump of the machine's wall clock ends no retention, lease or
// link: it measures what has really passed, also across restarts, and approaches the wall clock slowly.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { type Clock, systemClock } from '../util/clock.ts';

export interface TimeSources {
  /** The wall clock, which may be set to any time. */
  wall(): number;
  /** Milliseconds of a clock that only goes forward. It may stand still while the machine sleeps. */
  ticks(): number;
  /** Milliseconds since the machine was started, sleep included, and a name for that start. Undefined if unknown. */
  uptime(): { ms: number; boot: string } | undefined;
}

/** What the next process needs to continue. */
export interface SavedTime {
  time: number;
  uptimeMs?: number;
  boot?: string;
}

export interface ServiceClock extends Clock {
  save(): SavedTime;
  /** How far the wall clock is ahead, in milliseconds. */
  offset(): number;
}

/** An hour of the service takes 54 to 66 minutes while it approaches the wall clock. */
const RATE = 0.1;
/** A clock that is off by more was never set, or is set right now. It is believed at once. */
const BELIEVED_MS = 7 * 86_400_000;
/** From here on it is worth to look whether the machine has slept. */
const NOTICEABLE_MS = 1_000;

export function createServiceClock(sources: TimeSources, saved?: SavedTime): ServiceClock {
  let time = startTime(sources, saved);
  let ticks = sources.ticks();
  let looked = { ticks, uptimeMs: sources.uptime()?.ms };

  /** Milliseconds since the last look that the ticks do not know of. */
  const slept = (): number => {
    const before = looked;
    looked = { ticks, uptimeMs: sources.uptime()?.ms };
    if (looked.uptimeMs === undefined || before.uptimeMs === undefined) return 0;
    const more = looked.uptimeMs - before.uptimeMs - (looked.ticks - before.ticks);
    return more > NOTICEABLE_MS ? more : 0;
  };

  const advance = (): number => {
    const next = sources.ticks();
    let passed = Math.max(0, next - ticks);
    ticks = next;
    const wall = sources.wall();
    const isOff = Math.abs(wall - (time + passed)) > NOTICEABLE_MS;
    if (isOff && ticks - looked.ticks >= NOTICEABLE_MS) passed += slept();
    const ahead = wall - (time + passed);
    const most = Math.abs(ahead) > BELIEVED_MS ? Number.POSITIVE_INFINITY : passed * RATE;
    time += passed + Math.max(-most, Math.min(ahead, most));
    return time;
  };

  return {
    now: () => Math.floor(advance()),
    sleep: systemClock.sleep,
    save() {
      const now = sources.uptime();
      return { time: Math.floor(advance()), ...(now && { uptimeMs: now.ms, boot: now.boot }) };
    },
    offset: () => sources.wall() - advance(),
  };
}

/** Since the last process, as much time has passed as the machine says. If it was restarted, only its wall clock knows. */
function startTime(sources: TimeSources, saved: SavedTime | undefined): number {
  const wall = sources.wall();
  if (!saved) return wall;
  const now = sources.uptime();
  const isSameStart = now !== undefined && now.boot === saved.boot && now.ms >= saved.uptimeMs!;
  const expected = isSameStart ? saved.time + now.ms - saved.uptimeMs! : Math.max(saved.time, wall);
  return Math.abs(wall - expected) > BELIEVED_MS ? wall : expected;
}

/** Reads what a process saved. Undefined if it cannot be read: then the wall clock is right. */
export function readSavedTime(text: string | undefined): SavedTime | undefined {
  if (text === undefined) return undefined;
  try {
    const { time, uptimeMs, boot } = JSON.parse(text) as SavedTime;
    if (!Number.isSafeInteger(time)) return undefined;
    return Number.isFinite(uptimeMs) && typeof boot === 'string' ? { time, uptimeMs, boot } : { time };
  } catch {
    return undefined;
  }
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

export function machineTime(): TimeSources {
  const boot = readBootId();
  return {
    wall: Date.now,
    ticks: () => performance.now(),
    uptime: () => (boot === undefined ? undefined : { ms: Math.round(uptime() * 1000), boot }),
  };
}

/** Linux only. */
function readBootId(): string | undefined {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return undefined;
  }
}
