// Calls of this service as curl commands, ready to paste.
import { shellWord } from './shell-word.ts';

/** `key` may be a variable of the shell, such as `$TRAWL_API_KEY`; without one, none is sent. Each option has its line. */
export const curlCommand = (url: string, key: string | undefined, options: readonly string[] = []): string =>
  [`curl -s ${shellWord(url)}`, ...(key === undefined ? [] : [`-H "Authorization: Bearer ${key}"`]), ...options].join(
    ' \\\n  ',
  );

/** A body makes curl send a POST. */
export const jsonBodyOptions = (json: string): string[] => [
  "-H 'Content-Type: application/json'",
  `-d ${shellWord(json)}`,
];
