// Where requests may go: globally routable addresses and the operator's allow-list, but never this service itself.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { EgressRule } from '../../contracts/operator/metrics.ts';
import { type Address, isInside } from '../../urls/networks.ts';
import { createOwnHostTest } from '../../urls/own-host.ts';
import { bareHost, portOf } from '../../urls/url.ts';
import type { AllowList } from './allow-list.ts';
import { BAD_PORTS, FORBIDDEN_NAMES, FORBIDDEN_RANGES, GLOBAL_IPV6 } from './forbidden.ts';
import type { Resolver } from './resolver.ts';

export interface OwnAddress {
  address: string;
  port: number;
}

export interface AddressRules {
  /** All checks that need no DNS. Throws ServiceError UNSUPPORTED_SITE. */
  checkUrl(url: URL): void;
  /** Refuses a host if any of its resolved addresses is not allowed. Throws ServiceError UNSUPPORTED_SITE. */
  checkAnswers(host: string, port: number, addresses: readonly string[]): void;
}

/** Whether a host with this address is an engine or another process of this installation. */
export type IsInternal = (host: string, address: string, port: number) => boolean;

/** Told of every refusal, for the metrics. */
export type OnRefused = (rule: EgressRule) => void;

const forbidden = FORBIDDEN_RANGES.map((range) => ipaddr.parseCIDR(range));
const globalIpv6 = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);

/** Whether the address is globally routable. IPv6 addresses that embed an IPv4 one are judged as IPv6. */
export function isGlobalUnicast(text: string): boolean {
  const address = readAddress(text);
  if (!address) return false;
  if (address.kind() === 'ipv6' && !isInside(address, globalIpv6)) return false;
  return !forbidden.some((range) => isInside(address, range));
}

/** Whether a host is in a network of the operator's own. A name that cannot be resolved here counts as public. */
export async function isPrivate(host: string, resolver: Resolver, signal: AbortSignal): Promise<boolean> {
  try {
    const addresses = await resolver.resolve(host, signal);
    return addresses.every((address) => !isGlobalUnicast(address));
  } catch {
    signal.throwIfAborted();
    return isForbiddenName(host);
  }
}

export function createAddressRules(
  allow: AllowList,
  ownAddress: () => OwnAddress | undefined,
  publicUrl?: string,
  onRefused?: OnRefused,
  isInternal: IsInternal = () => false,
): AddressRules {
  const refused = createRefusal(onRefused);
  const isPublic = createOwnHostTest(publicUrl);
  const checkAddress = (host: string, port: number, text: string) => {
    const address = readAddress(text);
    if (!address) throw refused('egress_address');
    if (isOwn(address, port, ownAddress()) || isPublic(unmapped(address).toString(), port)) {
      throw refused('egress_own_service');
    }
    if (isGlobalUnicast(text)) return;
    if (isInternal(host, text, port)) throw refused('egress_own_service');
    const isAllowed = allow.allowsHost(host, port) || allow.allowsAddress(unmapped(address), port);
    if (!isAllowed) throw refused('egress_address');
  };

  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw refused('egress_scheme', 'Only http and https addresses can be read.');
      }
      if (isPublic(bareHost(url), portOf(url))) throw refused('egress_own_service');
      if (url.username !== '' || url.password !== '') {
        throw refused(
          'egress_credentials',
          'Addresses with a user name or password in them are refused. Send credentials as a header.',
        );
      }
      const port = portOf(url);
      if (url.port === '0' || BAD_PORTS.has(port)) {
        throw refused('egress_port', `Port ${url.port} is refused: it does not serve web pages.`);
      }
      const host = bareHost(url);
      if (readAddress(host)) checkAddress(host, port, host);
      else if (isForbiddenName(host) && !allow.allowsHost(host, port)) throw refused('egress_name');
    },
    checkAnswers(host, port, addresses) {
      for (const address of addresses) checkAddress(host, port, address);
    },
  };
}

export interface OperatorRules extends AddressRules {
  /** For connections that are not HTTP. Throws ServiceError UNSUPPORTED_SITE. */
  checkEndpoint(host: string, port: number): void;
}

export interface OperatorTargets {
  operatorOrigins: readonly string[];
  /** host:port */
  operatorEndpoints: readonly string[];
}

/** For addresses that only the operator sets: exactly these, even private ones, but never the service itself. */
export function createOperatorRules(
  { operatorOrigins, operatorEndpoints }: OperatorTargets,
  ownAddress: () => OwnAddress | undefined,
  publicUrl?: string,
  onRefused?: OnRefused,
): OperatorRules {
  const refused = createRefusal(onRefused);
  const isPublic = createOwnHostTest(publicUrl);
  const allowed = new Set(operatorOrigins);
  const endpoints = new Set(operatorEndpoints);
  return {
    checkEndpoint(host, port) {
      if (!endpoints.has(`${host}:${port}`) || isPublic(host, port)) throw refused('egress_operator_only');
    },
    checkUrl(url) {
      const isOwnHost = isPublic(bareHost(url), portOf(url));
      if (!allowed.has(url.origin) || isOwnHost) throw refused('egress_operator_only');
    },
    checkAnswers(_host, port, addresses) {
      for (const text of addresses) {
        const address = readAddress(text);
        const isOurs = !address || isOwn(address, port, ownAddress()) || isPublic(unmapped(address).toString(), port);
        if (isOurs) throw refused('egress_own_service');
      }
    },
  };
}

// The message never names the address: a caller must not learn what a private name resolves to.
const createRefusal = (onRefused?: OnRefused) => (rule: EgressRule, message?: string) => {
  onRefused?.(rule);
  return new ServiceError('UNSUPPORTED_SITE', { message });
};

function readAddress(text: string): Address | undefined {
  // Most hosts are names, and the library would throw for each of them.
  if (!/^[\d.]+$|:/.test(text)) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isForbiddenName(host: string): boolean {
  if (!host.includes('.')) return true;
  const dotted = `.${host}`;
  return FORBIDDEN_NAMES.some((name) => dotted.endsWith(name)) || host.startsWith('kubernetes.default.');
}

/** A mapped IPv6 address (::ffff:a.b.c.d) connects to the IPv4 address inside it. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Whether an address is one that a server of this installation listens on. */
export function isListening(text: string, port: number, listening: OwnAddress): boolean {
  const address = readAddress(text);
  return address !== undefined && readAddress(listening.address) !== undefined && isOwn(address, port, listening);
}

/** Whether this address and port are the service itself. Checked before the allow-list. */
function isOwn(given: Address, port: number, own: OwnAddress | undefined): boolean {
  if (!own || own.port !== port) return false;
  const address = unmapped(given);
  const listening = readAddress(own.address);
  // Connecting to the unspecified address reaches this machine.
  if (!listening || address.range() === 'unspecified') return true;
  if (listening.range() !== 'unspecified') return address.toString() === unmapped(listening).toString();
  if (address.range() === 'loopback') return true;
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => readAddress(entry.address)?.toString() === address.toString());
}
