// The operator's allow-list of private targets: hosts, `*.domain` patterns, addresses and CIDR ranges.
import ipaddr from 'ipaddr.js';
import { SettingError } from '../../util/setting-error.ts';
import { bareHost } from '../../util/url.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

export interface AllowList {
  allowsHost(host: string): boolean;
  allowsAddress(address: Address): boolean;
}

/** Parses a list such as `10.0.0.0/8, wiki.corp.example, *.intra.example`. Throws on an invalid entry. */
export function parseAllowList(text: string): AllowList {
  const hosts = new Set<string>();
  const suffixes: string[] = [];
  const networks: Network[] = [];

  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const network = readNetwork(entry);
    if (network) networks.push(network);
    else if (entry.startsWith('*.')) suffixes.push(`.${readHost(entry, entry.slice(2))}`);
    else hosts.add(readHost(entry, entry));
  }

  return {
    allowsHost: (host) => hosts.has(host) || suffixes.some((suffix) => host.endsWith(suffix)),
    allowsAddress: (address) =>
      networks.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits)),
  };
}

/** Whether the list allows this host or address, written as in a URL, with or without a port. */
export function isListed(list: AllowList, host: string): boolean {
  const url = URL.parse(`http://${host}`);
  if (!url) return false;
  const name = bareHost(url);
  return list.allowsHost(name) || (ipaddr.isValid(name) && list.allowsAddress(ipaddr.process(name)));
}

function readNetwork(entry: string): Network | undefined {
  const bare = entry.replace(/^\[(.*)\](?=\/|$)/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return [ipaddr.IPv4.parse(bare), 32];
  if (ipaddr.IPv6.isValid(bare)) return [ipaddr.IPv6.parse(bare), 128];
  if (!bare.includes('/')) return undefined;
  if (!ipaddr.isValidCIDR(bare)) throw new SettingError(`"${entry}" is not a network such as 10.0.0.0/8 or fd00::/8`);
  return ipaddr.parseCIDR(bare);
}

function readHost(entry: string, host: string): string {
  // The URL parser normalises the spelling (lower case, punycode) to that of the hosts it is compared with.
  const url = /^[^\s/?#@:\\*]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (!url) throw new SettingError(`"${entry}" is neither a host, nor *.domain, nor a network such as 10.0.0.0/8`);
  return url.hostname.replace(/\.$/, '');
}
