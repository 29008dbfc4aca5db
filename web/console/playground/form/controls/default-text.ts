// How the default of an option is written beside it.
import type { Field } from '../field.ts';

/** Undefined if there is nothing worth saying. */
export function defaultText({ kind, default: standard }: Field): string | undefined {
  if (standard === undefined) return undefined;
  if (kind === 'boolean') return standard === true ? 'on' : 'off';
  if (Array.isArray(standard)) {
    return standard.length === 0 ? undefined : standard.map((entry) => entry?.type ?? entry).join(', ');
  }
  if (typeof standard === 'object') return undefined;
  return String(standard);
}
