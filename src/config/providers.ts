// Combines and checks the settings of search providers: which ones are queried, in which order, with which keys.

import { parseProxyList, type UpstreamProxy } from '../net/connections/upstream-proxies.ts';
import {
  INDEX_NAME,
  PROVIDER_NAMES,
  PROVIDER_NEEDS,
  type ProviderAccess,
  type ProviderName,
  type ProviderSettings,
} from '../search/providers/provider-names.ts';
import { SettingError } from '../util/setting-error.ts';
import { list } from './rules.ts';

type Order = NonNullable<ProviderSettings['order']>;

export interface ProviderVariables {
  providerOrder: Order | undefined;
  keylessProviders: 'on' | 'off';
  providerKeys: Partial<Record<ProviderName, string[]>>;
  providerUrls: Partial<Record<ProviderName, string>>;
  googleEngine: string | undefined;
}

/** The names allowed in a list of providers. */
export const LISTED_NAMES: Order = [INDEX_NAME, ...PROVIDER_NAMES];

/** Parses a comma-separated list of names. Throws an Error with one sentence for an unknown one. */
export function parseProviderOrder(text: string): Order {
  return [...new Set(list(text.toLowerCase()))].map((name) => {
    const known = LISTED_NAMES.find((listed) => listed === name);
    if (known === undefined) throw new SettingError(`"${name}" is not a provider; use ${LISTED_NAMES.join(', ')}`);
    return known;
  });
}

/** Parses a list of proxies; `off` and `direct` are the empty one. */
export const parseProviderProxy = (text: string): UpstreamProxy[] =>
  /^(?:off|direct)$/i.test(text) ? [] : parseProxyList(text);

/** Throws an Error with one sentence if a setting is missing. */
export function readProviders(variables: ProviderVariables): ProviderSettings {
  const { providerOrder: order, keylessProviders, providerKeys, providerUrls, googleEngine } = variables;
  const access: Partial<Record<ProviderName, ProviderAccess>> = {};
  for (const name of PROVIDER_NAMES) {
    const keys = providerKeys[name] ?? [];
    const url = providerUrls[name];
    if (keys.length > 0 || url !== undefined) access[name] = { keys, ...(url !== undefined && { url }) };
  }
  if (access.google && access.google.keys.length > 0) {
    if (googleEngine === undefined)
      throw new SettingError('TRAWL_GOOGLE_API_KEY is set without TRAWL_GOOGLE_CX. Set both.');
    access.google = { ...access.google, engine: googleEngine };
  }
  for (const name of order ?? []) {
    const missing = name === INDEX_NAME ? undefined : missingOf(name, access[name]);
    if (missing)
      throw new SettingError(
        `TRAWL_SEARCH_PROVIDERS lists ${name}, which needs ${missing}. Set it, or remove the provider.`,
      );
  }
  return { order, keyless: keylessProviders === 'on', access };
}

function missingOf(name: ProviderName, access: ProviderAccess | undefined): string | undefined {
  const { key, url } = PROVIDER_NEEDS[name];
  if (url === 'needed' && access?.url === undefined) return variableOf(name, 'URL');
  return key === 'needed' && !access?.keys.length ? variableOf(name, 'API_KEY') : undefined;
}

const variableOf = (name: ProviderName, what: 'API_KEY' | 'URL') => `TRAWL_${name.toUpperCase()}_${what}`;
