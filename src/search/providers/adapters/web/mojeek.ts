// Mojeek: an independent crawler and index.
import type { TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { httpUrl, list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../../toolkit/answer-problem.ts';
import { dayOf } from '../../toolkit/day-range.ts';
import { compactDay, NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const MAX_COUNT = 20;
const DIALECT: Dialect = { clauses: ['word', 'phrase', 'site'], or: 'none', domains: 'operators' };

export const mojeek: Provider = {
  name: 'mojeek',
  label: 'Mojeek',
  url: 'https://api.mojeek.com',
  needs: 'key',
  sources: ['web'],
  capabilities: () => ({ clauses: ['word', 'site'], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),

  async search({ query, conditions, count, page, now }, { url, key, ask, signal }) {
    const { time, language, country, safe } = conditions;
    const wanted = Math.min(count, MAX_COUNT);
    const start = page * wanted + 1;
    const q = writeQuery(query, DIALECT, conditions);
    if (q === '') return NO_RESULTS;
    const answer = await ask.json(
      {
        url: `${url}/search`,
        parameters: {
          q,
          fmt: 'json',
          s: start,
          t: wanted,
          lb: language,
          rb: country,
          safe: safe === undefined ? undefined : Number(safe),
          since: time && sinceOf(time),
          before: time?.until === undefined ? undefined : compactDay(dayOf(time.until)),
          api_key: key,
        },
      },
      signal,
    );
    const { response } = expectMember(answer, 'response');
    const { status, head, results: given } = record(response);
    const said = text(status);
    if (said !== '' && said !== 'OK') throw problem(problemKindOf(said));
    const items = list(given);
    const total = positive(record(head).results);
    return {
      results: withVerifiableDates(
        items.flatMap((item) => readResult(record(item), now)),
        time,
        now,
      ),
      hasMore: items.length > 0 && (total === undefined ? items.length >= wanted : start + items.length <= total),
    };
  },
};

function sinceOf({ from, preset }: TimeRange): string | undefined {
  if (preset === 'hour') return 'day';
  if (preset && preset !== 'week') return preset;
  return from === undefined ? undefined : compactDay(dayOf(from));
}

function readResult(item: Record<string, unknown>, now: number): ProviderResult[] {
  const url = httpUrl(item.url);
  if (!url) return [];
  return [{ url, title: text(item.title), description: text(item.desc), date: readDate(text(item.date), now) }];
}
