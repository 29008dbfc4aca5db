// The search providers there are and what each of them needs, without the adapters: settings must be readable without loading those.

interface ProviderNeeds {
  key: 'needed' | 'possible' | 'none';
  /** 'possible': it has an address of its own, which the operator may replace. */
  url: 'needed' | 'possible';
}

const withKey = { key: 'needed', url: 'possible' } as const;
const withOptionalKey = { key: 'possible', url: 'possible' } as const;
const open = { key: 'none', url: 'possible' } as const;

/** In the order in which they are asked where the operator gives none. */
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

/** The own index, as it is called beside the providers. */
export const INDEX_NAME = 'index';

export interface ProviderAccess {
  /** Used in turn: the next one when one is used up. */
  keys: readonly string[];
  /** The operator's; without it the provider's own. */
  url?: string;
  /** Which of the operator's own search engines is asked (Google's cx). */
  engine?: string;
}

export interface ProviderSettings {
  /** Only these, in this order, perhaps with the own index among them; undefined: whatever can be asked. */
  order: readonly (ProviderName | typeof INDEX_NAME)[] | undefined;
  /** Whether those are asked that nobody has set up. */
  keyless: boolean;
  access: Readonly<Partial<Record<ProviderName, ProviderAccess>>>;
}

/** Where requests may go although the address is private, because the operator said so. */
export const operatorOrigins = ({ access }: Pick<ProviderSettings, 'access'>): string[] =>
  Object.values(access).flatMap(({ url }) => (url === undefined ? [] : [new URL(url).origin]));
