// The addresses of this page and of those that it leads to.

export interface Place {
  host?: string;
  /** The page that is looked at. */
  url?: string;
}

export function placeAddress({ host, url }: Place): string {
  const pairs = Object.entries({ host, url }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '/console/pages' : `/console/pages?${new URLSearchParams(pairs)}`;
}

/** What the address bar says. A page that is named without a host belongs to the host of its URL. */
export function readPlace(query: Readonly<Record<string, string | undefined>>): Place {
  const url = query.url || undefined;
  const host = query.host || (url === undefined ? undefined : hostOf(url));
  return { ...(host !== undefined && { host }), ...(url !== undefined && { url }) };
}

export const hostOf = (url: string): string | undefined => URL.parse(url)?.host || undefined;

export const scrapeAddress = (url: string): string => `/console/playground/scrape?${new URLSearchParams({ url })}`;

export function searchAddress(host: string): string {
  const name = URL.parse(`http://${host}/`)?.hostname ?? host;
  return `/console/search?${new URLSearchParams({ q: `site:${name}` })}`;
}

/** What of a URL is said below the name of its host. */
export function pathOf(url: string): string {
  const read = URL.parse(url);
  return read ? `${read.pathname}${read.search}` : url;
}
