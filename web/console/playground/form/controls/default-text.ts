// How the default of an option is written beside it.
import { count, duration } from '../../../ui/data/format.ts';
import type { Field } from '../field.ts';

const MINUTE_MS = 60_000;

/** Undefined if there is nothing worth saying. */
export function defaultText({ kind, help, default: standard }: Field): string | undefined {
  if (standard === undefined) return undefined;
  if (kind === 'boolean') return standard === true ? 'on' : 'off';
  if (Array.isArray(standard)) {
    return standard.length === 0 ? undefined : standard.map((entry) => entry?.type ?? entry).join(', ');
  }
  if (typeof standard === 'object') return undefined;
  if (typeof standard !== 'number') return String(standard);
  const isTime = /milliseconds/i.test(help) && standard >= MINUTE_MS;
  return isTime ? `${count(standard)} (${duration(standard)})` : count(standard);
}
