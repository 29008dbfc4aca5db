// Google Programmable Search: pages and images, at most a hundred results in pages of ten.
import type { Source, TimePreset, TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { type ProblemKind, ProviderProblem } from '../../provider-problem.ts';
import { httpUrl, list, plainText, positive, record } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { GOOGLE_CLAUSES, googleDialect } from '../../toolkit/google-dialect.ts';
import { compactDay, dayBounds, NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const MAX_COUNT = 10;
const RESTRICTIONS: Record<TimePreset, string> = { hour: 'd1', day: 'd1', week: 'w1', month: 'm1', year: 'y1' };
/** Metadata of the page that Google passes on. */
const DATE_TAGS = ['article:published_time', 'og:published_time', 'date', 'dc.date', 'pubdate'];
const DATED_SNIPPET = /^(.{5,20}?) \.\.\. /;

export const google: Provider = {
  name: 'google',
  label: 'Google Programmable Search',
  url: 'https://www.googleapis.com',
  needs: 'key',
  sources: ['web', 'images'],
  capabilities: (source) => ({
    clauses: GOOGLE_CLAUSES[source],
    time: 'range',
    domains: true,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),

  async search({ query, conditions, source, count, page, now }, { url, key, engine, ask, signal }) {
    if (engine === undefined) throw new ProviderProblem('key', 'it needs a custom search engine: set TRAWL_GOOGLE_CX');
    const { country, language, safe, time, sortByDate } = conditions;
    const num = Math.min(count, MAX_COUNT);
    const q = writeQuery(query, googleDialect(source), conditions);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/customsearch/v1`,
        parameters: {
          q,
          cx: engine,
          num,
          start: page * num + 1,
          gl: country.toLowerCase(),
          hl: language,
          safe: safe === undefined ? undefined : safe ? 'active' : 'off',
          searchType: source === 'images' ? 'image' : undefined,
          dateRestrict: time?.preset && RESTRICTIONS[time.preset],
          sort: time && !time.preset ? rangeOf(time, now) : sortByDate ? 'date' : undefined,
          key,
        },
        problemOf,
      },
      signal,
    );
    const found = expectMember(answer, 'items', 'queries', 'searchInformation');
    const results = list(found.items).flatMap((item) => readResult(record(item), source, now));
    return {
      results: withVerifiableDates(results, time, now),
      hasMore: list(record(found.queries).nextPage).length > 0,
    };
  },
};

const rangeOf = (time: TimeRange, now: number): string => `date:r:${dayBounds(time, now).map(compactDay).join(':')}`;

/** The status is ambiguous: 403 for a used-up quota and an unknown key, 400 for a malformed key. */
function problemOf(_status: number, answer: unknown): ProblemKind | undefined {
  const { errors, details, status } = record(record(answer).error);
  const reasons = [...list(errors), ...list(details)].map((item) => plainText(record(item).reason));
  const said = [...reasons, plainText(status)].join(' ');
  if (/LimitExceeded|quotaExceeded|RATE_LIMIT|RESOURCE_EXHAUSTED/i.test(said)) return 'quota';
  return /keyInvalid|API_KEY|accessNotConfigured|SERVICE_DISABLED|forbidden|PERMISSION_DENIED/i.test(said)
    ? 'key'
    : undefined;
}

function readResult(item: Record<string, unknown>, source: Source, now: number): ProviderResult[] {
  const image = record(item.image);
  const link = httpUrl(item.link);
  const url = source === 'images' ? httpUrl(image.contextLink) : link;
  if (!url || !link) return [];
  const result = {
    url,
    title: plainText(item.title),
    description: plainText(item.snippet),
    date: dateOf(item, now),
  };
  if (source === 'web') return [result];
  return [{ ...result, imageUrl: link, imageWidth: positive(image.width), imageHeight: positive(image.height) }];
}

function dateOf({ pagemap, snippet }: Record<string, unknown>, now: number): number | undefined {
  const tags = record(list(record(pagemap).metatags)[0]);
  for (const name of DATE_TAGS) {
    const date = readDate(plainText(tags[name]), now);
    if (date !== undefined) return date;
  }
  return readDate(DATED_SNIPPET.exec(plainText(snippet))?.[1] ?? '', now);
}
