// The way out, with the rules and proxies that the operator has set.
import type { Config } from '../config/settings.ts';
import { smtpEndpoint } from '../jobs/mail/smtp-server.ts';
import { modelOrigins } from '../models/model-choice.ts';
import { createEgress, type Egress, type EgressSettings } from '../net/egress.ts';
import { issuerOrigins } from '../policy/agents/agent-issuers.ts';
import { operatorOrigins } from '../search/providers/provider-names.ts';
import { riskOrigins } from './policy/threats.ts';

export const composeEgress = (config: Config, hooks: Pick<EgressSettings, 'ownAddress' | 'onRefused'>): Egress =>
  createEgress({
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
