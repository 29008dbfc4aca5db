// Fields as clients send them: in the query string, in a form or in JSON, where texts stand for numbers and switches.
import { oneValueEach } from '../../calls/calls.ts';
import type { DialectRequest } from '../dialect.ts';

/** A field of the body wins over one of the query. What is empty counts as absent. */
export function sentFields({ query, body }: Pick<DialectRequest, 'query' | 'body'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...oneValueEach(query), ...objectOf(body) }).filter(([, value]) => value !== '' && value !== null),
  );
}

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The entries of a list with commas, in lower case. */
export const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

export const isYes = (value: unknown): boolean => value === true || /^(?:true|1|on|yes)$/i.test(String(value));
