// Settings of search providers: which ones are queried, in which order, with which keys.
import { z } from 'zod';
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
import { baseUrl, integer, list, oneOf, readBy, type Setting, type SharedSetting, setting } from './rules.ts';

type Order = NonNullable<ProviderSettings['order']>;

export interface ProviderVariables {
  providerOrder: Order | undefined;
  keylessProviders: 'on' | 'off';
  providerKeys: Partial<Record<ProviderName, string[]>>;
  providerUrls: Partial<Record<ProviderName, string>>;
  googleEngine: string | undefined;
}

/** The names allowed in a list of providers. */
const LISTED_NAMES: Order = [INDEX_NAME, ...PROVIDER_NAMES];

/** Parses a comma-separated list of names. Throws an Error with one sentence for an unknown one. */
function parseProviderOrder(text: string): Order {
  return [...new Set(list(text.toLowerCase()))].map((name) => {
    const known = LISTED_NAMES.find((listed) => listed === name);
    if (known === undefined) throw new SettingError(`"${name}" is not a provider; use ${LISTED_NAMES.join(', ')}`);
    return known;
  });
}

/** Parses a list of proxies; `off` and `direct` are the empty one. */
const parseProviderProxy = (text: string): UpstreamProxy[] =>
  /^(?:off|direct)$/i.test(text) ? [] : parseProxyList(text);

export const PROVIDER_SETTINGS = {
  providerOrder: setting(
    'TRAWL_SEARCH_PROVIDERS',
    'all that can be used',
    readBy(parseProviderOrder).optional(),
    `Search providers and their order: ${LISTED_NAMES.join(', ')}. \`index\` is this service's own index. By default, duckduckgo is used only while no other provider for the whole web is set up.`,
  ),
  keylessProviders: setting(
    'TRAWL_KEYLESS_PROVIDERS',
    'on',
    oneOf(['on', 'off'], 'on'),
    'off: only search providers with your own key or URL are used, so that queries go to nobody else.',
  ),
  providerProxy: setting(
    'TRAWL_PROVIDER_PROXY',
    'TRAWL_PROXY',
    readBy(parseProviderProxy).optional(),
    'Upstream proxies for requests to search providers, in the same form; off or direct: none.',
    true,
  ),
  providerTimeoutMs: setting(
    'TRAWL_PROVIDER_TIMEOUT_MS',
    '15000',
    integer(15_000, 100, 600_000),
    'How long a search waits for a provider, at most. Within it, a provider has as long as the `timeout` of the search allows.',
  ),
  providerKeys: {
    names: PROVIDER_NAMES.filter((name) => PROVIDER_NEEDS[name].key !== 'none'),
    ...setting(
      'TRAWL_<NAME>_API_KEY',
      'none',
      z.string().transform(list).optional(),
      'Keys of a search provider, for example `TRAWL_BRAVE_API_KEY`. When one is used up, the next one is used.',
      true,
    ),
  },
  providerUrls: {
    names: PROVIDER_NAMES,
    ...setting(
      'TRAWL_<NAME>_URL',
      "the provider's own",
      baseUrl.optional(),
      'Base URL of a search provider, for example `TRAWL_SEARXNG_URL`. It may be private. Required for searxng and v2 (a server like this one).',
      // The URL may contain a password.
      true,
    ),
  },
  googleEngine: setting(
    'TRAWL_GOOGLE_CX',
    'none',
    z.string().min(1).optional(),
    'ID of the Google programmable search engine. Required with TRAWL_GOOGLE_API_KEY.',
  ),
} satisfies Record<string, Setting<unknown> | SharedSetting<unknown>>;

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
