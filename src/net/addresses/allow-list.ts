// The operator's allow-list of private targets: hosts, `*.domain` patterns, addresses and CIDR ranges, each with all of
// its ports or with one.
import ipaddr from 'ipaddr.js';
import { type Address, isInside, readNetwork } from '../../urls/networks.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import { SettingError } from '../../util/setting-error.ts';

interface Target {
  /** Undefined: every port. */
  port: number | undefined;
  matchesHost(host: string): boolean;
  matchesAddress(address: Address): boolean;
}

export interface AllowList {
  allowsHost(host: string, port: number): boolean;
  allowsAddress(address: Address, port: number): boolean;
}

/** Parses a list such as `10.0.0.0/8, wiki.corp.example, *.intra.example, localhost:8080`. Throws on an invalid entry. */
export function parseAllowList(text: string): AllowList {
  const entries = text.split(',').map((part) => part.trim());
  const targets = entries.filter((entry) => entry !== '').map(readTarget);
  const at = (port: number) => targets.filter((target) => target.port === undefined || target.port === port);
  return {
    allowsHost: (host, port) => at(port).some((target) => target.matchesHost(host)),
    allowsAddress: (address, port) => at(port).some((target) => target.matchesAddress(address)),
  };
}

/** Whether the list allows this host or address, written as in a URL, with or without a port. */
export function isListed(list: AllowList, host: string): boolean {
  const url = URL.parse(`http://${host}`);
  if (!url) return false;
  const name = bareHost(url);
  const port = portOf(url);
  return list.allowsHost(name, port) || (ipaddr.isValid(name) && list.allowsAddress(ipaddr.process(name), port));
}

function readTarget(entry: string): Target {
  // An IPv6 address has colons of its own, so a port after one needs brackets.
  const [, name = entry, digits] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : readPort(entry, digits);
  const network = readNetwork(name);
  if (network) return { port, matchesHost: () => false, matchesAddress: (address) => isInside(address, network) };
  const isPattern = name.startsWith('*.');
  const host = readHost(entry, isPattern ? name.slice(2) : name);
  const matchesHost = isPattern ? (given: string) => given.endsWith(`.${host}`) : (given: string) => given === host;
  return { port, matchesHost, matchesAddress: () => false };
}

function readPort(entry: string, digits: string): number {
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw new SettingError(`"${entry}" is not a host with a port from 1 to 65535`);
  return port;
}

function readHost(entry: string, host: string): string {
  // The URL parser normalises the spelling (lower case, punycode) to that of the hosts it is compared with.
  const url = /^[^\s/?#@:\\*]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (!url) throw new SettingError(`"${entry}" is neither a host, nor *.domain, nor a network such as 10.0.0.0/8`);
  return bareHost(url);
}
