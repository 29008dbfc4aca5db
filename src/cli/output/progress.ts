// The progress of long work: one line on standard error, drawn again in its place, with rate and time left.
import type { Clock } from '../../util/clock.ts';
import type { Progress } from '../command.ts';
import { safeLine } from './safe-text.ts';

/** A terminal, as much of it as a bar needs. */
export interface Terminal {
  /** Changes when the window does. */
  columns(): number;
  write(text: string): void;
}

interface State {
  done: number;
  total?: number;
  note?: string;
}

const REDRAW_MS = 100;
const BAR_WIDTH = 20;
/** Narrower terminals do without the bar. */
const MIN_COLUMNS_FOR_BAR = 60;
const MAX_SHOWN_SECONDS = 359_999;
/** Carriage return, then erase the line. */
const CLEAR = '\r\u001b[2K';

export interface DrawnProgress extends Progress {
  /** Removes the line until the next update, so that something else can be written. */
  hide(): void;
}

export function createProgress(what: string, terminal: Terminal, clock: Pick<Clock, 'now'>): DrawnProgress {
  const startedAt = clock.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const hide = () => {
    if (isShown) terminal.write(CLEAR);
    isShown = false;
  };
  return {
    update(state) {
      const now = clock.now();
      if (isShown && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      isShown = true;
      // The last column stays free: a line that fills it would wrap.
      const line = progressLine(what, state, now - startedAt, terminal.columns());
      terminal.write(`${CLEAR}${line}`);
    },
    hide,
    end: hide,
  };
}

export function progressLine(what: string, { done, total, note }: State, elapsedMs: number, columns: number): string {
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0;
  const count = total === undefined ? `${done}` : `${done}/${total}`;
  const parts = [what, ...(columns >= MIN_COLUMNS_FOR_BAR && total ? [bar(done / total)] : []), count];
  if (done > 0) parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
  if (total !== undefined && done > 0 && done < total) parts.push(`${duration((total - done) / rate)} left`);
  if (total === undefined) parts.push(duration(elapsedMs / 1_000));
  if (note) parts.push(safeLine(note));
  const letters = [...parts.join('  ')];
  const room = Math.max(0, columns - 1);
  return letters.length <= room ? letters.join('') : `${letters.slice(0, Math.max(0, room - 1)).join('')}…`;
}

const bar = (part: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, part)) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
};

function duration(seconds: number): string {
  const whole = Math.min(MAX_SHOWN_SECONDS, Math.ceil(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (figure: number) => `${figure}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
