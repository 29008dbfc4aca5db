// Where an option stands among the others. One that is not named here stands with the rest, so that none is missing.
import { type OptionTraits, optionsWhere } from '../../../../src/contracts/scrape/option-traits.ts';
import type { Field } from '../form/field.ts';

/** The options of a page, whose table says where they stand. */
const optionsOf = (group: OptionTraits['group']): string[] => optionsWhere((traits) => traits.group === group);

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Content: optionsOf('Content'),
  Results: [
    ...['limit', 'sources', 'categories', 'country', 'lang', 'tbs', 'includeDomains', 'excludeDomains'],
    ...[
      'highlights',
      'returns',
      'ignoreInvalidURLs',
      'search',
      'safe',
      'explain',
      'showSources',
      'schema',
      'systemPrompt',
    ],
  ],
  Scope: [
    ...['prompt', 'includePaths', 'excludePaths', 'regexOnFullURL', 'crawlEntireDomain', 'allowSubdomains', 'urls'],
    ...['allowExternalLinks', 'maxDiscoveryDepth', 'sitemap', 'ignoreSitemap', 'ignoreQueryParameters', 'filterByPath'],
    ...['deduplicateSimilarURLs', 'includeSubdomains', 'ignoreRobotsTxt', 'robotsUserAgent', 'enableWebSearch'],
    ...['strictConstrainToURLs', 'threadId', 'mode', 'effort', 'maxCredits'],
  ],
  'Each page': ['scrapeOptions', 'asyncScraping'],
  'Loading the page': [
    ...optionsOf('Loading the page'),
    ...['delay', 'maxConcurrency', 'ttl', 'activityTtl', 'streamWebView', 'recordSession'],
  ],
  Cache: [...optionsOf('Cache'), 'ignoreCache'],
  'Privacy and safety': [...['zeroDataRetention', ...optionsOf('Privacy and safety'), 'enterprise']],
  Notifications: ['webhook'],
};

const REST = 'Other';

export interface FieldGroup {
  title: string;
  fields: readonly Field[];
}

export function groupFields(fields: readonly Field[]): FieldGroup[] {
  const titleOf = ({ name }: Field) => Object.keys(GROUPS).find((title) => GROUPS[title]!.includes(name)) ?? REST;
  return [...Object.keys(GROUPS), REST]
    .map((title) => ({ title, fields: fields.filter((field) => titleOf(field) === title) }))
    .filter((group) => group.fields.length > 0);
}
