// Which URLs a run may read: those its caller named, and what is below them.
import { readUrl } from '../../urls/url.ts';

/** `urls` may end in `/*`. A list without a readable URL allows nothing. */
export function createAllowedUrls(urls: readonly string[] | undefined): (url: string) => boolean {
  if (urls === undefined) return () => true;
  const roots = urls.map((text) => readUrl(text.replace(/\/?\*$/, ''))).filter((url) => typeof url !== 'string');
  return (text) => {
    const url = readUrl(text);
    return typeof url !== 'string' && roots.some((root) => isWithin(url, root));
  };
}

function isWithin(url: URL, root: URL): boolean {
  if (siteOf(url) !== siteOf(root) || isDowngraded(url, root)) return false;
  const [path, top] = [withoutSlash(url.pathname), withoutSlash(root.pathname)];
  if (path === top) return hasAllOf(url.searchParams, root.searchParams);
  return path.startsWith(`${top}/`);
}

/** With and without `www.`, and over http or https, a site is the same: most redirect from one to the other. */
const siteOf = ({ hostname, port }: URL): string => `${hostname.replace(/^www\./, '')}:${port}`;
const isDowngraded = (url: URL, root: URL): boolean => root.protocol === 'https:' && url.protocol !== 'https:';
const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** `?id=5` is another page than `?id=6`, and `?id=5&page=2` belongs to it. */
const hasAllOf = (params: URLSearchParams, wanted: URLSearchParams): boolean =>
  [...wanted].every(([name, value]) => params.getAll(name).includes(value));
