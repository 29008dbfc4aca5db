// What is kept away from a page that is to be read without advertisements: hosts and paths of ads and trackers.
import { readFileSync } from 'node:fs';

export interface Blocker {
  /** Whether a request is one for an advertisement or a tracker. */
  blocks(url: URL): boolean;
  /** Match every address that could be blocked, and few others: for the browser, to ask only about these. */
  readonly wildcards: readonly string[];
}

interface Lists {
  /** Registered names: their subdomains are meant too. */
  hosts: string[];
  /** A host and the beginning of a path, for hosts that serve other things as well. */
  paths: string[];
  /** Parts of a path or query, wherever they are. */
  parts: string[];
}

const FILE = new URL('../../../../data/ad-requests.json', import.meta.url);

let lists: Lists | undefined;

/** For one page: what belongs to the site itself is not kept from it, whatever the lists say. */
export function createBlocker(page: URL): Blocker {
  lists ??= JSON.parse(readFileSync(FILE, 'utf8')) as Lists;
  const { paths, parts } = lists;
  const hosts = new Set(lists.hosts.filter((host) => !isWithin(page.hostname, host)));
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

/** Not somewhere behind: addresses name others in their queries. */
function isBelow(where: string, path: string, host: string): boolean {
  const at = where.indexOf(path);
  return at !== -1 && at < host.length;
}

const isWithin = (host: string, name: string) => host === name || host.endsWith(`.${name}`);

/** Looks up the host and every name above it. */
function isOnList(host: string, names: ReadonlySet<string>): boolean {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    if (names.has(name)) return true;
    if (!name.includes('.')) return false;
  }
}
