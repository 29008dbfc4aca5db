// JSON that may hold anything, read as what it ought to be.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const recordOf = (value: Json | undefined): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** Texts are written as one string or as a list of lines. */
export const sourceOf = (value: Json | undefined): string =>
  (Array.isArray(value)
    ? value.filter((line) => typeof line === 'string').join('')
    : typeof value === 'string'
      ? value
      : ''
  ).replace(/\r\n/g, '\n');
