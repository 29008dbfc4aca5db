// Where requests may go: globally routable unicast addresses, plus what the operator allows, minus this service itself.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../contracts/errors.ts';
import { bareHost, portOf } from '../../util/url.ts';
import type { AllowList } from './allow-list.ts';
import { BAD_PORTS, FORBIDDEN_NAMES, FORBIDDEN_RANGES, GLOBAL_IPV6 } from './forbidden.ts';

export interface OwnAddress {
  address: string;
  port: number;
}

export interface AddressRules {
  /** Everything that can be told without asking DNS. Throws ServiceError UNSUPPORTED_SITE. */
  checkUrl(url: URL): void;
  /** What DNS said about a host: every address must pass, or the host is refused. Throws ServiceError UNSUPPORTED_SITE. */
  checkAnswers(host: string, port: number, addresses: readonly string[]): void;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const forbidden = FORBIDDEN_RANGES.map((range) => ipaddr.parseCIDR(range));
const globalIpv6 = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);
const inside = (address: Address, [range, bits]: [Address, number]) =>
  address.kind() === range.kind() && address.match(range, bits);

/** True for addresses that any host on the Internet could be asked at. An IPv4 address inside an IPv6 one rescues nothing. */
export function isGlobalUnicast(text: string): boolean {
  const address = readAddress(text);
  if (!address) return false;
  if (address.kind() === 'ipv6' && !inside(address, globalIpv6)) return false;
  return !forbidden.some((range) => inside(address, range));
}

export function createAddressRules(
  allow: AllowList,
  ownAddress: () => OwnAddress | undefined,
  publicHost?: string,
): AddressRules {
  const checkAddress = (host: string, port: number, text: string) => {
    const address = readAddress(text);
    if (!address || isOwn(address, port, ownAddress())) throw refused();
    if (isGlobalUnicast(text) || allow.allowsHost(host) || allow.allowsAddress(unmapped(address))) return;
    throw refused();
  };

  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw refused('Only http and https addresses can be read.');
      }
      if (url.host === publicHost) throw refused();
      if (url.username !== '' || url.password !== '') {
        throw refused('Addresses with a user name or password in them are refused. Send credentials as a header.');
      }
      const port = portOf(url);
      if (url.port === '0' || BAD_PORTS.has(port)) {
        throw refused(`Port ${url.port} is refused: it does not serve web pages.`);
      }
      const host = hostOf(url);
      if (readAddress(host)) checkAddress(host, port, host);
      else if (isForbiddenName(host) && !allow.allowsHost(host)) throw refused();
    },
    checkAnswers(host, port, addresses) {
      for (const address of addresses) checkAddress(host, port, address);
    },
  };
}

/** For addresses that only the operator sets: exactly these origins, wherever they are, but never the service itself. */
export function createOperatorRules(
  origins: readonly string[],
  ownAddress: () => OwnAddress | undefined,
  publicHost?: string,
): AddressRules {
  const allowed = new Set(origins);
  return {
    checkUrl(url) {
      if (!allowed.has(url.origin) || url.host === publicHost) throw refused();
    },
    checkAnswers(_host, port, addresses) {
      for (const text of addresses) {
        const address = readAddress(text);
        if (!address || isOwn(address, port, ownAddress())) throw refused();
      }
    },
  };
}

/** The host as the rules compare it: any number of root dots is the same name. */
const hostOf = (url: URL): string => bareHost(url).replace(/\.+$/, '');

// The text never names the address: what a private name resolves to is not the caller's business.
const refused = (message?: string) => new ServiceError('UNSUPPORTED_SITE', { message });

function readAddress(text: string): Address | undefined {
  // Names are the common case, and the library tells them apart by throwing.
  if (!/^[\d.]+$|:/.test(text)) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isForbiddenName(host: string): boolean {
  if (!host.includes('.')) return true;
  const dotted = `.${host}`;
  return FORBIDDEN_NAMES.some((name) => dotted.endsWith(name)) || host.startsWith('kubernetes.default.');
}

/** The IPv4 address that a mapped IPv6 one dials in truth. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Would dialling this address and port reach the service itself? Asked before the allow-list is. */
function isOwn(given: Address, port: number, own: OwnAddress | undefined): boolean {
  if (!own || own.port !== port) return false;
  const address = unmapped(given);
  const listening = readAddress(own.address);
  // The unspecified address dials the machine itself.
  if (!listening || address.range() === 'unspecified') return true;
  if (listening.range() !== 'unspecified') return address.toString() === unmapped(listening).toString();
  if (address.range() === 'loopback') return true;
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => readAddress(entry.address)?.toString() === address.toString());
}
