// What the contract knows and this version cannot serve yet. A request that needs one of these is refused or warned, never
// silently cut short. As a capability arrives, its line goes.
import type { FormatType } from './formats.ts';

const MODEL = 'needs a language model, which this version cannot use yet';
const BRANDS = 'needs a reading of styles, which this version does not have yet';
const HISTORY = 'needs earlier versions of the page, which this version does not keep yet';

export const UNSERVED_FORMATS: Readonly<Partial<Record<FormatType, string>>> = {
  summary: MODEL,
  json: MODEL,
  deterministicJson: MODEL,
  question: MODEL,
  highlights: MODEL,
  query: MODEL,
  changeTracking: HISTORY,
  branding: BRANDS,
  product: MODEL,
  menu: MODEL,
};

/** Options that change what the caller gets so much that going on without them would deceive. */
export const REFUSED_OPTIONS = {
  redactPII: 'cannot be honoured yet, and unredacted text is never returned in its place',
  safeMode: 'cannot be honoured by this version yet',
  threatProtection: 'cannot be honoured by this version yet',
} as const;

/** What a service without a browser refuses. The reason follows: why there is none. */
export const NEED_BROWSER = {
  screenshot: "The format 'screenshot' needs a browser.",
  actions: '`actions` need a browser.',
  profile: "The option 'profile' needs a browser.",
} as const;

/** Options that the result survives without; the answer names them. */
export const IGNORED_OPTIONS = {
  onlyCleanContent: '`onlyCleanContent` was not applied: it needs a language model.',
  waitFor: '`waitFor` was not applied: this service has no browser.',
  mobile: '`mobile` was applied to the request only: this service has no browser.',
  enhancedProxy:
    'No enhanced proxy is configured (TRAWL_PROXY_ENHANCED): the page was fetched the basic way, at the basic price.',
} as const;
