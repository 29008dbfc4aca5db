// Networks in CIDR notation: 10.0.0.0/8, fd00::/8, or a single address.
import ipaddr from 'ipaddr.js';
import { SettingError } from '../util/setting-error.ts';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** Whether an address, as a socket reports it, is in one of the networks. */
export type NetworkList = (address: string) => boolean;

/** Undefined for a text that does not look like a network. Throws SettingError for one that does and is wrong. */
export function readNetwork(entry: string): Network | undefined {
  const bare = entry.replace(/^\[(.*)\](?=\/|$)/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return [ipaddr.IPv4.parse(bare), 32];
  if (ipaddr.IPv6.isValid(bare)) return asPeersAre([ipaddr.IPv6.parse(bare), 128]);
  if (!bare.includes('/')) return undefined;
  // The library also reads short forms such as 10.0.0/8, which can mean two things.
  const isWhole = ipaddr.isValidCIDR(bare) && /^(?:\d+\.\d+\.\d+\.\d+|[^/]*:[^/]*)\//.test(bare);
  if (!isWhole) throw new SettingError(`"${entry}" is not a network such as 10.0.0.0/8 or fd00::/8`);
  return asPeersAre(ipaddr.parseCIDR(bare));
}

/** ::ffff:10.0.0.0/104 is 10.0.0.0/8: peers are compared as IPv4, see `readPeer`. */
function asPeersAre([range, bits]: Network): Network {
  const isMapped = range instanceof ipaddr.IPv6 && range.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [range.toIPv4Address(), bits - 96] : [range, bits];
}

export const isInside = (address: Address, [range, bits]: Network): boolean =>
  address.kind() === range.kind() && address.match(range, bits);

/** On a dual-stack socket, the IPv4 peer 10.0.0.1 appears as ::ffff:10.0.0.1. Undefined if the text is not an address. */
export function readPeer(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare) : undefined;
}

/** Parses a list such as `127.0.0.1, 10.0.0.0/8, fd00::/8`. Throws SettingError on an invalid entry. */
export const parseNetworks = (text: string): NetworkList =>
  createNetworkList(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((entry) => entry !== ''),
  );

/** Throws SettingError on an invalid entry. */
export function createNetworkList(entries: readonly string[]): NetworkList {
  const networks = entries.map((entry) => {
    const network = readNetwork(entry);
    if (!network) throw new SettingError(`"${entry}" is not an address or a network such as 10.0.0.0/8`);
    return network;
  });
  return (text) => {
    const address = readPeer(text);
    return address !== undefined && networks.some((network) => isInside(address, network));
  };
}
