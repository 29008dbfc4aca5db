// The URLs that a command gets: as arguments, and with `-` from standard input, one a line.
import { text } from 'node:stream/consumers';
import { UsageError } from '../usage-error.ts';

export async function readUrls(args: readonly string[], usage: string): Promise<string[]> {
  const given = args.includes('-') ? lines(await text(process.stdin)) : [];
  const urls = args.flatMap((arg) => (arg === '-' ? given : [arg])).map(withProtocol);
  if (urls.length === 0) throw new UsageError(`There is no URL. Usage: ${usage}`);
  return urls;
}

/** Empty lines and comments are left out. */
export const lines = (content: string): string[] =>
  content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** `example.com` is meant as a site. Anything with a protocol of its own is for the service to judge. */
export const withProtocol = (url: string): string => (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `https://${url}`);
