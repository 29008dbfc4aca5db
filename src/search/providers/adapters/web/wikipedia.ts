// Wikipedia in the language of the search. Results have no date, because the last edit says nothing about the subject.
import { DEFAULT_LANGUAGE } from '../../../../contracts/search/search-query.ts';
import { writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, record, text } from '../../toolkit/answer-fields.ts';
import { canBeOnHosts } from '../../toolkit/keyless.ts';
import { askMediawiki, DIALECT, MAX_OFFSET } from '../../toolkit/mediawiki.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { rankingWordsLast } from '../../toolkit/wording.ts';

const OWN_URL = 'https://wikipedia.org';
const MAX_COUNT = 50;

export const wikipedia: Provider = {
  name: 'wikipedia',
  label: 'Wikipedia',
  url: OWN_URL,
  needs: 'nothing',
  sources: ['web'],
  capabilities: () => ({
    clauses: ['word', 'phrase'],
    time: 'none',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),
  covers: (question) =>
    question.conditions.categories.length === 0 &&
    question.conditions.time === undefined &&
    canBeOnHosts(['wikipedia.org'], question),
  async search({ query, conditions, count, page }, context) {
    const srsearch = writeQuery(rankingWordsLast(query), DIALECT);
    const size = Math.min(count, MAX_COUNT);
    if (srsearch === '' || page * size > MAX_OFFSET) return NO_RESULTS;
    const site = siteOf(conditions.language ?? DEFAULT_LANGUAGE);
    const answer = await askMediawiki(
      {
        list: 'search',
        srsearch,
        srlimit: size,
        sroffset: page * size,
        srprop: 'snippet',
        // A mirror reports the public URL of its pages itself.
        meta: 'siteinfo',
        siprop: 'general',
      },
      context.url === OWN_URL ? { ...context, url: site } : context,
    );
    const found = record(answer.query);
    const addressOf = readAddresses(found.general, site);
    const results = list(found.search).flatMap((item): ProviderResult[] => {
      const { title, snippet } = record(item);
      const name = plainText(title);
      const url = name === '' ? undefined : addressOf(name);
      return url === undefined ? [] : [{ url, title: name, description: text(snippet, 500) }];
    });
    return { results, hasMore: record(answer.continue).sroffset !== undefined };
  },
};

function siteOf(language: string): string {
  const name = language === 'nb' ? 'no' : language;
  return `https://${/^[a-z]{2}$/.test(name) ? name : DEFAULT_LANGUAGE}.wikipedia.org`;
}

function readAddresses(general: unknown, site: string): (title: string) => string | undefined {
  const { server, articlepath } = record(general);
  const base = httpUrl(server) ?? site;
  const path = typeof articlepath === 'string' && articlepath.includes('$1') ? articlepath : '/wiki/$1';
  return (title) => {
    // Like MediaWiki, which leaves subpages and namespaces readable.
    const name = encodeURIComponent(title.replaceAll(' ', '_')).replace(/%(?:2F|3A|2C)/g, decodeURIComponent);
    const address = path.replace('$1', () => name);
    return httpUrl(URL.parse(address, base)?.href);
  };
}
