// The names of the search providers and what each needs. Separate from the adapters, so that reading the settings does
// not load them.

interface ProviderNeeds {
  key: 'needed' | 'possible' | 'none';
  /** 'possible': it has its own base URL, which the operator may replace. */
  url: 'needed' | 'possible';
}

const withKey = { key: 'needed', url: 'possible' } as const;
const withOptionalKey = { key: 'possible', url: 'possible' } as const;
const open = { key: 'none', url: 'possible' } as const;

/** In the default order of preference. */
export const PROVIDER_NEEDS = {
  searxng: { key: 'possible', url: 'needed' },
  brave: withKey,
  serper: withKey,
  serpapi: withKey,
  google: withKey,
  tavily: withKey,
  exa: withKey,
  mojeek: withKey,
  marginalia: withKey,
  kagi: withKey,
  you: withKey,
  v2: { key: 'possible', url: 'needed' },
  wikipedia: open,
  github: withOptionalKey,
  arxiv: open,
  openalex: withOptionalKey,
  crossref: open,
  pubmed: withOptionalKey,
  openverse: open,
  wikimedia: open,
  gdelt: open,
  hackernews: open,
  duckduckgo: open,
} as const satisfies Record<string, ProviderNeeds>;

export type ProviderName = keyof typeof PROVIDER_NEEDS;

export const PROVIDER_NAMES = Object.keys(PROVIDER_NEEDS) as ProviderName[];

/** Our own index in a list of providers. */
export const INDEX_NAME = 'index';

export interface ProviderAccess {
  /** The next key is used when one is used up. */
  keys: readonly string[];
  /** Replaces the provider's own base URL. */
  url?: string;
  /** The operator's custom search engine (Google's cx). */
  engine?: string;
}

export interface ProviderSettings {
  /** Only these, in this order, which may include our own index; undefined: all that can be used. */
  order: readonly (ProviderName | typeof INDEX_NAME)[] | undefined;
  /** Whether to use providers that the operator did not configure. */
  keyless: boolean;
  access: Readonly<Partial<Record<ProviderName, ProviderAccess>>>;
}

/** Origins that the operator set, to which requests may go even if the address is private. */
export const operatorOrigins = ({ access }: Pick<ProviderSettings, 'access'>): string[] =>
  Object.values(access).flatMap(({ url }) => (url === undefined ? [] : [new URL(url).origin]));
