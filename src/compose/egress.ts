// The way out, with the rules and proxies that the operator has set.
import type { Config } from '../config/settings.ts';
import { smtpEndpoint } from '../jobs/mail/smtp-server.ts';
import { modelOrigins } from '../models/model-choice.ts';
import type { HostPort } from '../net/addresses/installation.ts';
import { createEgress, type Egress, type EgressSettings } from '../net/egress.ts';
import { issuerOrigins } from '../policy/agents/agent-issuers.ts';
import { operatorOrigins } from '../search/providers/provider-names.ts';
import { bareHost } from '../urls/url.ts';
import { riskOrigins } from './policy/threats.ts';

interface Hooks extends Pick<EgressSettings, 'ownAddress' | 'onRefused'> {
  /** URLs of the other processes of this installation. */
  peers?: () => readonly string[];
}

export const composeEgress = (config: Config, { peers, ...hooks }: Hooks): Egress =>
  createEgress({
    internal: internalPlaces(config, peers),
    allow: config.allowNetworks,
    dnsServers: config.dns,
    proxies: { basic: config.proxy, enhanced: config.proxyEnhanced },
    providerProxies: config.providerProxies,
    modelProxies: config.modelProxy,
    maxPageBytes: config.maxPageBytes,
    publicUrl: config.publicUrl,
    operatorOrigins: [
      ...operatorOrigins(config.searchProviders),
      ...modelOrigins(config.models),
      ...issuerOrigins(config.agentIssuers),
      ...riskOrigins(config),
    ],
    operatorEndpoints: config.smtp ? [smtpEndpoint(config.smtp)] : [],
    ...hooks,
  });

/** Undefined for an embedded service, which has neither engines nor other processes. */
function internalPlaces(config: Config, peers: Hooks['peers'] = () => []): (() => HostPort[]) | undefined {
  const { databaseUrl, indexUrl, blobs, traceEndpoint, advertisedUrl } = config;
  const set = [databaseUrl, indexUrl, blobs?.origin, traceEndpoint, advertisedUrl].filter((url) => url !== undefined);
  if (set.length === 0) return undefined;
  const fixed = set.flatMap(placesOf);
  return () => [...fixed, ...peers().flatMap(placesOf)];
}

const PORTS: Record<string, number> = { http: 80, https: 443, postgres: 5432, postgresql: 5432 };
/** A cluster has several hosts: `https://user:password@a:9200,b:9200/path`. */
const PARTS = /^([a-z]+):\/\/(?:[^/]*@)?([^/?#]+)/i;

/** Where an engine or a process is. */
export function placesOf(url: string): HostPort[] {
  const [, scheme = '', hosts = ''] = PARTS.exec(url) ?? [];
  return hosts.split(',').flatMap((host) => {
    const parsed = URL.parse(`http://${host}`);
    const port = Number(/:(\d+)$/.exec(host)?.[1] ?? PORTS[scheme.toLowerCase()]);
    return parsed ? [{ host: bareHost(parsed), port }] : [];
  });
}
