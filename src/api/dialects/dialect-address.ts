// The addresses of dialects as clients write them: with slashes that a base URL and a path put together, with one at the end,
// and with the key in the path, for programs that have an address to fill in and nothing else.
import type { IncomingMessage } from 'node:http';
import { DIALECTS, type DialectName, type DialectPlace } from '../../contracts/dialects/dialect-names.ts';

export interface DialectAddresses {
  /** The address to route by. The key is taken out of it, so nothing that reads the address of a request can see it. */
  rewrite(request: Pick<IncomingMessage, 'url'>): string;
  /** The key that was in the address. */
  keyOf(request: object): string | undefined;
}

interface Deps {
  names: readonly DialectName[];
  /** Whether a key in the path counts. */
  pathKeys: boolean;
}

export function createDialectAddresses({ names, pathKeys }: Deps): DialectAddresses {
  const keys = new WeakMap<object, string>();
  const places = names.map((name): DialectPlace => DIALECTS[name]);
  const homes = new Map(places.flatMap(({ prefix, also = [] }) => also.map((path) => [path, prefix] as const)));
  const prefixes = [...places.map(({ prefix }) => prefix), ...homes.keys()].map((path) => path.slice(1)).join('|');
  const address = new RegExp(`^/+(${prefixes})(/[^?]*)?(\\?.*)?$`, 's');
  const inside = new Map(places.flatMap(({ prefix, addressAt }) => (addressAt ? [[prefix, opening(addressAt)]] : [])));
  return {
    rewrite(request) {
      const { url = '/' } = request;
      const found = names.length > 0 ? address.exec(url) : null;
      if (!found) return url;
      const [, prefix, sentPath = '', sentQuery = ''] = found;
      const [, at, given] = inside.get(`/${prefix}`)?.exec(sentPath + sentQuery) ?? [];
      const path = at === undefined ? sentPath : `${at}/${asOnePart(given!)}`;
      const query = at === undefined ? sentQuery : '';
      const below = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
      const keyed = pathKeys ? /^\/key\/([^/]+)(.*)$/s.exec(below) : null;
      if (keyed) keys.set(request, decoded(keyed[1]!));
      const plain = `/${prefix}${keyed ? keyed[2] : below}`;
      return `${homes.get(plain) ?? plain}${query}`;
    },
    keyOf: (request) => keys.get(request),
  };
}

/** Where an address begins that is left as it is, with a key before it or without. */
const opening = (path: string): RegExp => new RegExp(`^((?:/+key/+[^/?]+)?/+${path.slice(1)})/(.*)$`, 's');

/** What clients send unencoded arrives as bytes, each as a character. */
const asOnePart = (text: string): string => encodeURIComponent(Buffer.from(text, 'latin1').toString());

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
