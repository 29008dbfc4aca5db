// What the contract documents but this version does not support yet. Requests for it are refused or answered with a warning,
// never silently cut short. A line is removed once its feature exists.
import type { FormatType } from '../formats/format-traits.ts';

export const formatNeedsBrowser = (type: FormatType): string => `The format '${type}' needs a browser.`;

/** Refused on servers without a browser. The reason for that is appended to the message. */
export const NEED_BROWSER = {
  actions: '`actions` need a browser.',
  profile: "The option 'profile' needs a browser.",
} as const;

/** Options that are skipped with a warning: the result is useful without them. */
export const IGNORED_OPTIONS = {
  onlyCleanContent: '`onlyCleanContent` is not supported with zero data retention.',
  waitFor: '`waitFor` was not applied: this server has no browser.',
  mobile: '`mobile` was only applied to the request: this server has no browser.',
} as const;
