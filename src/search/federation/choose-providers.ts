// Chooses the providers for a question: those that are allowed by the settings and cover it, in the operator's order.
import type { Provider, ProviderQuery } from '../providers/provider.ts';
import {
  INDEX_NAME,
  needsOf,
  PROVIDER_NAMES,
  PROVIDER_NEEDS,
  type ProviderAccess,
  type ProviderName,
  type ProviderSettings,
} from '../providers/provider-names.ts';

export const usesIndex = ({ order }: Pick<ProviderSettings, 'order'>): boolean => order?.includes(INDEX_NAME) ?? true;

const NO_ACCESS: ProviderAccess = { keys: [] };

export const accessOf = ({ access }: Pick<ProviderSettings, 'access'>, name: string): ProviderAccess =>
  access[name as ProviderName] ?? NO_ACCESS;

export const isConfigured = ({ keys, url }: ProviderAccess): boolean => keys.length > 0 || url !== undefined;

export function chooseProviders(
  providers: readonly Provider[],
  settings: ProviderSettings,
  question: ProviderQuery,
): Provider[] {
  const { order } = settings;
  const listed = order
    ? order.flatMap((name) => providers.filter((provider) => provider.name === name))
    : providers.filter(({ name }) => isAskedByDefault(name, settings));
  return listed.filter((provider) => mayBeAsked(provider, settings) && has(provider, question));
}

/** Those who answer plain web searches under these settings. */
export interface WebSearchers {
  /** In order. */
  names: string[];
  /** Whether the operator set one of them up that covers the whole web. */
  hasOwn: boolean;
}

export function webSearchers(settings: ProviderSettings): WebSearchers {
  const names = settings.order ?? [INDEX_NAME, ...PROVIDER_NAMES.filter((name) => isAskedByDefault(name, settings))];
  const asked = names.filter(
    (name) => name === INDEX_NAME || (PROVIDER_NEEDS[name].web !== undefined && isUsable(name, settings)),
  );
  return { names: asked, hasOwn: asked.some((name) => needsOf(name)?.web === 'whole') };
}

const isAskedByDefault = (name: string, settings: ProviderSettings): boolean =>
  needsOf(name)?.web !== 'fallback' || !hasWebProvider(settings);

/** Whether the operator set up a provider that covers the whole web. */
const hasWebProvider = (settings: ProviderSettings): boolean =>
  PROVIDER_NAMES.some((name) => needsOf(name)?.web === 'whole' && isUsable(name, settings));

function isUsable(name: ProviderName, settings: ProviderSettings): boolean {
  const { key, url } = PROVIDER_NEEDS[name];
  return mayBeAsked({ name, needs: key === 'needed' ? 'key' : url === 'needed' ? 'url' : 'nothing' }, settings);
}

type Named = Pick<Provider, 'name' | 'needs'>;

const mayBeAsked = (provider: Named, settings: ProviderSettings): boolean =>
  obstacleTo(provider, settings) === undefined;

/** Why these settings do not allow to ask it: follows its name and a colon. Undefined if they do. */
export function obstacleTo({ name, needs }: Named, settings: ProviderSettings): string | undefined {
  const access = accessOf(settings, name);
  const variable = `TRAWL_${name.toUpperCase()}`;
  if (needs === 'key') return access.keys.length > 0 ? undefined : `it needs a key (${variable}_API_KEY)`;
  if (needs === 'url') return access.url !== undefined ? undefined : `it needs an address (${variable}_URL)`;
  if (settings.keyless || isConfigured(access)) return undefined;
  return 'providers without a key are switched off (TRAWL_KEYLESS_PROVIDERS=off)';
}

/** Whether searches ask it under these settings. */
export const isUsed = (provider: Named, settings: ProviderSettings): boolean =>
  (settings.order?.some((name) => name === provider.name) ?? isAskedByDefault(provider.name, settings)) &&
  mayBeAsked(provider, settings);

function has({ sources, onlyFor, covers }: Provider, question: ProviderQuery): boolean {
  const { source, conditions } = question;
  return (
    sources.includes(source) &&
    (!onlyFor || onlyFor.some((category) => conditions.categories.includes(category))) &&
    (covers?.(question) ?? true)
  );
}
