// Resolves a name to all of its addresses, with the operator's name servers if set, else with the system's.
import { type LookupAddress, promises as systemDns } from 'node:dns';
import { isIP } from 'node:net';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { onAbort, raceAbort } from '../../util/abort.ts';
import { SettingError } from '../../util/setting-error.ts';

export interface Resolver {
  /** Returns at least one address; IP literals come back unchanged. Throws ServiceError SCRAPE_DNS_RESOLUTION_ERROR. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
}

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const KNOWN_NAME = 'example.com';

/** Parses a comma-separated list of `ip` or `ip:port`. Throws on an invalid entry. */
export function parseDnsServers(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, host = entry, port = '53'] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
      const address = host.replace(/^\[|\]$/g, '');
      if (isIP(address) === 0 || Number(port) < 1 || Number(port) > 65_535) {
        throw new SettingError(`"${entry}" is not the address of a name server such as 9.9.9.9 or 127.0.0.1:5353`);
      }
      return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    });
}

export function createResolver(servers: readonly string[]): Resolver {
  const ask = servers.length === 0 ? askSystem : askServers(servers);
  return {
    async resolve(host, signal) {
      if (isIP(host) !== 0) return [host];
      const addresses = await raceAbort(ask(host, signal), signal).catch((cause) => {
        throw signal.aborted ? signal.reason : new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR', { cause });
      });
      if (addresses.length === 0) throw new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR');
      return addresses;
    },
  };
}

/** Whether a well-known name can be resolved. One query, and no thread that could delay the end of the process. */
export async function canResolveNames(servers: readonly string[]): Promise<boolean> {
  const resolver = new systemDns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver.resolve4(KNOWN_NAME).then(
    (addresses) => addresses.length > 0,
    () => false,
  );
}

/** The same resolver with a time limit: a name that takes longer counts as unresolvable. */
export function withLimit(resolver: Resolver, ms: number | undefined): Resolver {
  if (ms === undefined) return resolver;
  return {
    async resolve(host, signal) {
      const limit = AbortSignal.timeout(ms);
      try {
        return await resolver.resolve(host, AbortSignal.any([signal, limit]));
      } catch (error) {
        signal.throwIfAborted();
        throw limit.aborted ? new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR', { cause: error }) : error;
      }
    },
  };
}

async function askSystem(host: string): Promise<string[]> {
  const answers: LookupAddress[] = await systemDns.lookup(host, { all: true });
  return answers.map(({ address }) => address);
}

function askServers(servers: readonly string[]): (host: string, signal: AbortSignal) => Promise<string[]> {
  return async (host, signal) => {
    // One resolver a name, because `cancel` ends all queries of a resolver at once.
    const resolver = new systemDns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    resolver.setServers(servers);
    using _cancel = onAbort(signal, () => resolver.cancel());
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const answers = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    // One address family without an answer is normal. If both fail, the error of the first says why.
    if (answers.length === 0 && v4.status === 'rejected') throw v4.reason;
    return answers;
  };
}
