// The file name in a URL: the title of files without another one.
import { MAX_TITLE } from '../page-entry.ts';
import { tidy } from '../text/clip.ts';

export function nameFromUrl(url: string): string {
  const { pathname, hostname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf('/', pathname.length - 2) + 1).replace(/\/$/, '');
  try {
    return tidy(decodeURIComponent(name), MAX_TITLE) || hostname;
  } catch {
    return tidy(name, MAX_TITLE);
  }
}
