// The addresses of dialects as clients write them: with slashes that a base URL and a path put together, with one at the end,
// and with the key in the path, for programs that have an address to fill in and nothing else.
import type { IncomingMessage } from 'node:http';
import { DIALECTS, type DialectName } from '../../contracts/dialects/dialect-names.ts';

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
  const prefixes = names.map((name) => DIALECTS[name].prefix.slice(1)).join('|');
  const address = new RegExp(`^/+(${prefixes})(/[^?]*)?(\\?.*)?$`, 's');
  return {
    rewrite(request) {
      const { url = '/' } = request;
      const found = names.length > 0 ? address.exec(url) : null;
      if (!found) return url;
      const [, prefix, path = '', query = ''] = found;
      const below = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
      const keyed = pathKeys ? /^\/key\/([^/]+)(.*)$/s.exec(below) : null;
      if (!keyed) return `/${prefix}${below}${query}`;
      keys.set(request, decoded(keyed[1]!));
      return `/${prefix}${keyed[2]}${query}`;
    },
    keyOf: (request) => keys.get(request),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
