// Chooses the providers for a question: those that are allowed by the settings and cover it, in the operator's order.
import type { Provider, ProviderQuery } from '../providers/provider.ts';
import {
  INDEX_NAME,
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
    : providers.filter(({ isOptIn }) => !isOptIn);
  return listed.filter((provider) => mayBeAsked(provider, settings) && has(provider, question));
}

function mayBeAsked({ name, needs }: Provider, settings: ProviderSettings): boolean {
  const access = accessOf(settings, name);
  if (needs === 'key') return access.keys.length > 0;
  if (needs === 'url') return access.url !== undefined;
  return settings.keyless || isConfigured(access);
}

function has({ sources, onlyFor, covers }: Provider, question: ProviderQuery): boolean {
  const { source, conditions } = question;
  return (
    sources.includes(source) &&
    (!onlyFor || onlyFor.some((category) => conditions.categories.includes(category))) &&
    (covers?.(question) ?? true)
  );
}
