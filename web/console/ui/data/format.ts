// Numbers, sizes and times in words.

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const NUMBERS = new Intl.NumberFormat('en');

export const count = (value: number): string => NUMBERS.format(value);

/** `1 page`, `12,000 pages`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export function bytes(value: number): string {
  const step = Math.min(UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log(value) / Math.log(1024)));
  const scaled = value / 1024 ** step;
  return `${scaled >= 100 || step === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${UNITS[step]}`;
}

/** `340 ms`, `2.4 s`, `3 min 12 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : plural(Math.round(hours / 24), 'day');
}

const AGES: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `just now`, `3 minutes ago`, `in 2 hours`. */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1_000;
  for (const [unit, size] of AGES) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 5 ? 'in less than a minute' : 'just now';
}
