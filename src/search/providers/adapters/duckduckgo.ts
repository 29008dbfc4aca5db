// DuckDuckGo's page for browsers without scripts. It is meant for people and blocks frequent automated use, so it is
// opt-in. Only the first page is read, because further ones need hidden fields of the page before.

import type { Conditions, TimePreset } from '../../../contracts/search-query.ts';
import { textWithin } from '../../../markup/html/html-tree.ts';
import { parseHtml } from '../../../markup/html/parse-html.ts';
import { readDate } from '../../../util/read-date.ts';
import { type Dialect, writeQuery } from '../../query/write-query.ts';
import type { Provider, ProviderResult } from '../provider.ts';
import { httpUrl, plainText } from '../toolkit/answer-fields.ts';
import { problem } from '../toolkit/answer-problem.ts';
import { lockedOut } from '../toolkit/keyless.ts';
import { dayBounds, NO_RESULTS, withVerifiableDates } from '../toolkit/request-values.ts';

const DIALECT: Dialect = {
  clauses: ['word', 'phrase', 'site', 'filetype', 'inurl', 'intitle'],
  or: 'bare',
  domains: 'operators',
  maxLength: 499,
};
const PRESETS: Partial<Record<TimePreset, string>> = { day: 'd', week: 'w', month: 'm', year: 'y' };
const MAX_RESULTS = 50;
const MAX_FIELD = 5_000;

export const duckduckgo: Provider = {
  name: 'duckduckgo',
  label: 'DuckDuckGo (its web page)',
  url: 'https://html.duckduckgo.com',
  needs: 'nothing',
  isOptIn: true,
  sources: ['web'],
  // Quotes and minus signs are only hints to it.
  capabilities: () => ({
    clauses: ['site', 'filetype', 'intitle', 'inurl'],
    time: 'range',
    domains: true,
    maxCount: 10,
    maxPages: 1,
  }),

  async search({ query, conditions, page, now }, { url, ask, signal }) {
    const q = writeQuery(query, DIALECT, conditions);
    if (q === '' || page > 0) return NO_RESULTS;
    const { country, language, safe, time } = conditions;
    const answer = await ask.text(
      {
        url: `${url}/html/`,
        parameters: {
          q,
          kl: `${country === 'GB' ? 'uk' : country.toLowerCase()}-${language}`,
          kp: safe === undefined ? undefined : safe ? 1 : -2,
          df: time && timeFilter(time, now),
        },
        problemOf: lockedOut,
      },
      signal,
    );
    return { results: withVerifiableDates(readPage(answer.text, now), time, now), hasMore: false };
  },
};

const timeFilter = (time: NonNullable<Conditions['time']>, now: number): string =>
  PRESETS[time.preset ?? 'hour'] ?? dayBounds(time, now).join('..');

type Field = 'title' | 'description' | 'extras';

/** The parts of one result in the page. */
type Found = Record<Field | 'href', string>;

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['result__a', 'title'],
  ['result__snippet', 'description'],
  ['result__extras__url', 'extras'],
]);

function readPage(html: string, now: number): ProviderResult[] {
  const { found, isList, isChallenge } = scanPage(html);
  if (isChallenge) throw problem('quota');
  if (!isList) throw problem('malformed');
  return found.flatMap((one): ProviderResult[] => {
    const url = targetOf(one.href);
    if (url === undefined) return [];
    const day = /\d{4}-\d\d-\d\d/.exec(one.extras)?.[0] ?? '';
    return [
      { url, title: plainText(one.title), description: plainText(one.description, 500), date: readDate(day, now) },
    ];
  });
}

function scanPage(html: string): { found: Found[]; isList: boolean; isChallenge: boolean } {
  const tree = parseHtml(html);
  const found: Found[] = [];
  let isList = false;
  let isChallenge = false;
  let fieldEnd = 0;
  for (let node = 1; node < tree.size; node++) {
    const id = tree.attribute(node, 'id');
    const classes = (tree.attribute(node, 'class') ?? '').slice(0, MAX_FIELD).split(' ');
    isList ||= id === 'links' || classes.includes('no-results');
    isChallenge ||= id === 'challenge-form' || classes.some((name) => name.startsWith('anomaly-modal'));
    const field = classes.map((name) => FIELDS.get(name)).find(Boolean);
    if (field === undefined || node < fieldEnd) continue;
    fieldEnd = tree.end[node]!;
    if (field === 'title' && found.length < MAX_RESULTS) {
      found.push({ href: tree.attribute(node, 'href') ?? '', title: '', description: '', extras: '' });
    }
    const last = found.at(-1);
    if (last && last[field].length < MAX_FIELD) last[field] += textWithin(tree, node);
  }
  return { found, isList: isList || found.length > 0, isChallenge };
}

/** Result links redirect through DuckDuckGo with the target in `uddg`; its other links are advertisements. */
function targetOf(href: string): string | undefined {
  const link = URL.parse(href, 'https://duckduckgo.com');
  const target = httpUrl(link?.searchParams.get('uddg') ?? link?.href);
  return target === undefined || /(?:^|\.)duckduckgo\.com$/.test(new URL(target).hostname) ? undefined : target;
}
