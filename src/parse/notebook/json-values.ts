// Reads untrusted JSON values as the expected type; anything else becomes empty.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const asRecord = (value: Json | undefined): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** Texts are stored as one string or as a list of lines. */
export const asText = (value: Json | undefined): string =>
  (Array.isArray(value)
    ? value.filter((line) => typeof line === 'string').join('')
    : typeof value === 'string'
      ? value
      : ''
  ).replace(/\r\n/g, '\n');
