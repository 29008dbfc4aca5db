// The options of a scrape, with what each affects: the one table from which the request to a site, the transform, cache keys,
// histories, uploads and console follow. Their bounds and defaults are in scrape-options.ts, which does not compile without an
// entry here.
import type { ScrapeOptions, scrapeOptionFields } from './scrape-options.ts';

export type OptionName = keyof typeof scrapeOptionFields;

export interface OptionTraits {
  /** Where it stands among the others for people. */
  group: 'Content' | 'Loading the page' | 'Cache' | 'Privacy and safety';
  /** Whose options it is passed on to: the request to a site (FetchRequest), or the transform (TransformOptions). */
  passedTo?: readonly ('fetch' | 'transform')[];
  /** It changes what a site sends: each value has a cached copy of its own. */
  isVariant?: true;
  /** What it gets is for the caller alone: it bypasses the shared cache. */
  isPrivate?: true;
  /** It shapes the Markdown, so that versions with different values are not simply compared. */
  isShaping?: true;
  /** What a request for an uploaded file does with it. Such a request does not have those that are absent. */
  ofUploads: 'applied' | 'ignored' | 'refused' | 'absent';
}

const CONTENT = { group: 'Content', ofUploads: 'applied' } as const;
const LOADING = { group: 'Loading the page', ofUploads: 'refused' } as const;
const CACHE = { group: 'Cache', ofUploads: 'absent' } as const;
const SAFETY = { group: 'Privacy and safety', ofUploads: 'applied' } as const;

export const OPTIONS = {
  formats: CONTENT,
  onlyMainContent: { ...CONTENT, passedTo: ['transform'], isShaping: true },
  onlyCleanContent: { ...CONTENT, isShaping: true },
  includeTags: { ...CONTENT, passedTo: ['transform'], isShaping: true },
  excludeTags: { ...CONTENT, passedTo: ['transform'], isShaping: true },
  removeBase64Images: { ...CONTENT, passedTo: ['transform'] },
  siteMemory: { ...CONTENT, ofUploads: 'absent' },
  headers: { ...LOADING, ofUploads: 'ignored', isPrivate: true, isShaping: true },
  waitFor: { ...LOADING, passedTo: ['fetch'], isVariant: true },
  timeout: { ...LOADING, ofUploads: 'applied' },
  mobile: { ...LOADING, passedTo: ['fetch'], isVariant: true, isShaping: true },
  blockAds: { ...LOADING, ofUploads: 'applied', passedTo: ['fetch', 'transform'], isVariant: true },
  skipTlsVerification: { ...LOADING, ofUploads: 'ignored' },
  proxy: { ...LOADING, isVariant: true },
  maxAge: CACHE,
  minAge: CACHE,
  storeInCache: CACHE,
  lockdown: CACHE,
  location: { ...LOADING, passedTo: ['fetch'], isVariant: true, isShaping: true },
  parsers: { ...CONTENT, isShaping: true },
  profile: { ...LOADING, isPrivate: true, isShaping: true },
  redactPII: SAFETY,
  actions: { ...LOADING, passedTo: ['fetch'], isPrivate: true, isShaping: true },
  threatProtection: SAFETY,
  checkPromptInjection: SAFETY,
  fastMode: { ...LOADING, ofUploads: 'absent' },
  safeMode: SAFETY,
  auditMetadata: SAFETY,
  archive: CACHE,
  source: CACHE,
} as const satisfies Readonly<Record<OptionName, OptionTraits>>;

/** The options with these traits: `OptionsWith<{ isPrivate: true }>`. */
export type OptionsWith<Traits> = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends Traits ? Name : never;
}[OptionName];

export const optionsWhere = (has: (traits: OptionTraits) => boolean): OptionName[] =>
  (Object.keys(OPTIONS) as OptionName[]).filter((name) => has(OPTIONS[name]));

type Stage = 'fetch' | 'transform';

/** Names of the options that are passed on to a stage. */
type PassedTo<To extends Stage> = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { passedTo: readonly (infer Passed)[] }
    ? To extends Passed
      ? Name
      : never
    : never;
}[OptionName];

/** These options alone, in the order of the table; those that are not set are left out. */
export function passOn<To extends Stage>(to: To, options: PassedOptions<To>): PassedOptions<To> {
  const names = optionsWhere(({ passedTo }) => passedTo?.includes(to) === true) as PassedTo<To>[];
  const set = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, options[name]])) as PassedOptions<To>;
}

export type PassedOptions<To extends Stage> = Pick<ScrapeOptions, PassedTo<To>>;
