// The networks that requests of a team and of a key may come from. Both lists hold; an empty one restricts nothing.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyLimits, TeamSettings } from '../../contracts/team/policy.ts';
import { createNetworkList, type NetworkList } from '../../urls/networks.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';

interface Sender {
  team: { settings?: TeamSettings };
  limits?: KeyLimits;
  /** As the trusted proxies report it. */
  address?: string;
}

/** Throws NETWORK_NOT_ALLOWED, also if there is no address to compare. */
export type CheckNetwork = (from: Sender) => void;

/** Parsed lists; a request reads its own anew from the store. */
const MAX_LISTS = 1_000;

export function createNetworkRule(): CheckNetwork {
  const lists = createBoundedMap<string, NetworkList>({ maxEntries: MAX_LISTS });
  const allows = (networks: readonly string[] | undefined, address = ''): boolean => {
    if (networks === undefined || networks.length === 0) return true;
    return lists.getOrCreate(networks.join(), () => readList(networks))(address);
  };
  return ({ team, limits, address }) => {
    if (!allows(team.settings?.networks, address)) throw refused('team', address);
    if (!allows(limits?.networks, address)) throw refused('API key', address);
  };
}

/** A list that cannot be read admits nobody: the other way round, a damaged row would open the service. */
function readList(networks: readonly string[]): NetworkList {
  try {
    return createNetworkList(networks);
  } catch {
    return () => false;
  }
}

const refused = (whose: string, address = '') =>
  new ServiceError('NETWORK_NOT_ALLOWED', {
    message: `Request blocked: this ${whose} does not allow requests from ${address === '' ? 'an unknown address' : `the address ${address}`}. Send it from an allowed network, or ask who manages the ${whose} to allow this one.`,
  });
