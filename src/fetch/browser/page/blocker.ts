// Decides which requests of a page are for ads or trackers, by host and path.
import { readFileSync } from 'node:fs';
import { lazy } from '../../../util/lazy.ts';

export interface Blocker {
  /** Whether the request is for an ad or a tracker. */
  blocks(url: URL): boolean;
  /** Match every URL that could be blocked, and few others: the browser pauses only these requests. */
  readonly wildcards: readonly string[];
}

interface Lists {
  /** Domains, including their subdomains. */
  hosts: string[];
  /** A host and the start of a path, for hosts that also serve other things. */
  paths: string[];
  /** Substrings of a path or query. */
  parts: string[];
}

const FILE = new URL('../../../../data/ad-requests.json', import.meta.url);

const readLists = lazy(() => JSON.parse(readFileSync(FILE, 'utf8')) as Lists);

/** For one page: the site's own domain is never blocked, even if it is listed. */
export function createBlocker(page: URL): Blocker {
  const { paths, parts, hosts: listed } = readLists();
  const hosts = new Set(listed.filter((host) => !isWithin(page.hostname, host)));
  return {
    blocks(url) {
      if (isOnList(url.hostname, hosts)) return true;
      const rest = url.pathname + url.search;
      const where = `.${url.host}${rest}`;
      if (url.hostname !== page.hostname && paths.some((path) => isBelow(where, `.${path}`, url.host))) return true;
      return parts.some((part) => rest.includes(part));
    },
    get wildcards() {
      return [...hosts, ...paths, ...parts].map((text) => `*${text}*`);
    },
  };
}

/** The match must begin within the host: a query may contain other URLs. */
function isBelow(where: string, path: string, host: string): boolean {
  const at = where.indexOf(path);
  return at !== -1 && at < host.length;
}

const isWithin = (host: string, name: string) => host === name || host.endsWith(`.${name}`);

/** Looks up the host and all of its parent domains. */
function isOnList(host: string, names: ReadonlySet<string>): boolean {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    if (names.has(name)) return true;
    if (!name.includes('.')) return false;
  }
}
