// The names of the search providers and what each needs. Separate from the adapters, so that reading the settings does
// not load them.

interface ProviderNeeds {
  key: 'needed' | 'possible' | 'none';
  /** 'possible': it has its own base URL, which the operator may replace. */
  url: 'needed' | 'possible';
  /**
   * What it contributes to plain web searches; absent: nothing.
   * - whole: it covers the whole web
   * - part: it covers a part, and is asked beside others
   * - fallback: it covers the whole web, but by default is asked only if no other provider that does is set up
   */
  web?: 'whole' | 'part' | 'fallback';
}

const withKey = { key: 'needed', url: 'possible', web: 'whole' } as const;
const withUrl = { key: 'possible', url: 'needed', web: 'whole' } as const;
const withOptionalKey = { key: 'possible', url: 'possible' } as const;
const open = { key: 'none', url: 'possible' } as const;

/** In the default order of preference. */
const NEEDS = {
  searxng: withUrl,
  brave: withKey,
  serper: withKey,
  serpapi: withKey,
  google: withKey,
  tavily: withKey,
  exa: withKey,
  mojeek: withKey,
  kagi: withKey,
  you: withKey,
  v2: withUrl,
  duckduckgo: { ...open, web: 'fallback' },
  wikipedia: { ...open, web: 'part' },
  marginalia: { ...withOptionalKey, web: 'part' },
  github: withOptionalKey,
  arxiv: open,
  openalex: withOptionalKey,
  crossref: open,
  pubmed: withOptionalKey,
  openverse: open,
  wikimedia: open,
  gdelt: open,
  hackernews: open,
} as const satisfies Record<string, ProviderNeeds>;

export type ProviderName = keyof typeof NEEDS;

export const PROVIDER_NEEDS: Readonly<Record<ProviderName, ProviderNeeds>> = NEEDS;

export const PROVIDER_NAMES = Object.keys(PROVIDER_NEEDS) as ProviderName[];

/** Undefined for names that are not in the list. */
export const needsOf = (name: string): ProviderNeeds | undefined => PROVIDER_NEEDS[name as ProviderName];

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
