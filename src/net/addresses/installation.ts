// Where the engines and the other processes of this installation are. Pages must not reach them, even in networks that the
// operator allows: engines often ask nobody for a password, and a process trusts what comes from its own machine.
import { networkInterfaces } from 'node:os';
import { type IsInternal, isListening } from './address-rules.ts';
import type { Resolver } from './resolver.ts';

export interface HostPort {
  /** A name or an address, without brackets. */
  host: string;
  port: number;
}

interface Known {
  addresses: readonly string[];
  at: number;
}

const FRESH_MS = 30_000;
const RESOLVE_MS = 5_000;
/** Processes come and go. */
const MOST_NAMES = 1_000;
/** A server there may listen on every address of the machine. */
const THIS_MACHINE = '0.0.0.0';

export function createInternalTest(places: () => readonly HostPort[], resolver: Resolver): IsInternal {
  const known = new Map<string, Known>();

  /** In the background: answers of a moment ago are good enough. */
  const look = async (host: string, before: readonly string[]) => {
    known.delete(host);
    known.set(host, { addresses: before, at: performance.now() });
    if (known.size > MOST_NAMES) known.delete(known.keys().next().value!);
    const addresses = await resolver.resolve(host, AbortSignal.timeout(RESOLVE_MS)).catch(() => before);
    known.set(host, { addresses, at: performance.now() });
  };
  const addressesOf = (host: string): readonly string[] => {
    const found = known.get(host);
    if (!found || performance.now() - found.at > FRESH_MS) void look(host, found?.addresses ?? []);
    return found?.addresses ?? [];
  };
  for (const { host } of places()) addressesOf(host);

  return (host, address, port) =>
    places()
      .filter((place) => place.port === port)
      .some(
        (place) =>
          place.host === host ||
          [place.host, ...addressesOf(place.host)].some((listening) =>
            isListening(address, port, { address: isOfThisMachine(listening) ? THIS_MACHINE : listening, port }),
          ),
      );
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

const isOfThisMachine = (address: string): boolean =>
  LOOPBACK.test(address) ||
  Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
