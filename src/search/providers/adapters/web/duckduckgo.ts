// DuckDuckGo's page for browsers without scripts. It is meant for people and blocks frequent automated use, so it is read
// like any page, at most once a second. Only the first page is read: further ones need hidden fields of the page before.

import { type Conditions, DEFAULT_LANGUAGE, type TimePreset } from '../../../../contracts/search/search-query.ts';
import { textWithin } from '../../../../markup/html/html-tree.ts';
import { parseHtml } from '../../../../markup/html/parse-html.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderResult } from '../../provider.ts';
import { ProviderProblem } from '../../provider-problem.ts';
import { httpUrl, plainText } from '../../toolkit/answer-fields.ts';
import { problem } from '../../toolkit/answer-problem.ts';
import { lockedOut } from '../../toolkit/keyless.ts';
import { dayBounds, NO_RESULTS, withVerifiableDates } from '../../toolkit/request-values.ts';

const DIALECT: Dialect = {
  clauses: ['word', 'phrase', 'site', 'filetype', 'inurl', 'intitle'],
  or: 'bare',
  domains: 'operators',
  maxLength: 499,
};
const PRESETS: Partial<Record<TimePreset, string>> = { day: 'd', week: 'w', month: 'm', year: 'y' };
const MAX_RESULTS = 50;
const MAX_FIELD = 5_000;
const EVERY_MS = 1_000;
/** It challenges an address, not a query, and asking on makes it worse. */
const REST_MS = 10 * 60_000;
/** The status of its challenge. */
const CHALLENGE_STATUS = 202;
/** Its regions, country first. Others are searched without a region. */
const REGIONS = new Set(
  (
    'ar-es at-de au-en be-fr be-nl bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es cn-zh co-es cz-cs de-de dk-da ee-et ' +
    'es-es fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-id ie-en il-he in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-en my-ms ' +
    'nl-nl no-no nz-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk th-th tr-tr tw-tzh ua-uk uk-en us-en ve-es ' +
    'vn-vi za-en'
  ).split(' '),
);
/** Languages that it spells in its own way. */
const REGION_LANGUAGES: Readonly<Record<string, string>> = {
  'HK zh': 'tzh',
  'JP ja': 'jp',
  'KR ko': 'kr',
  'NO nb': 'no',
  'TW zh': 'tzh',
};

export const duckduckgo: Provider = {
  name: 'duckduckgo',
  label: 'DuckDuckGo (its web page)',
  url: 'https://html.duckduckgo.com',
  needs: 'nothing',
  everyMs: EVERY_MS,
  sources: ['web'],
  // Quotes and minus signs are only hints to it.
  capabilities: () => ({
    clauses: ['site', 'filetype', 'intitle', 'inurl'],
    time: 'range',
    domains: true,
    maxCount: 10,
    maxPages: 1,
  }),

  async search({ query, conditions, page, now }, { url, ask, pageHeaders, signal }) {
    const q = withoutBangs(writeQuery(query, DIALECT, conditions));
    if (q === '' || page > 0) return NO_RESULTS;
    const { language = DEFAULT_LANGUAGE, safe, time } = conditions;
    const answer = await ask.text(
      {
        url: `${url}/html/`,
        parameters: {
          q,
          kl: regionOf(conditions),
          kp: safe === undefined ? undefined : safe ? 1 : -2,
          df: time && timeFilter(time, now),
        },
        headers: await pageHeaders?.(language),
        problemOf: lockedOut,
      },
      signal,
    );
    if (answer.status === CHALLENGE_STATUS) throw challenge();
    return { results: withVerifiableDates(readPage(answer.text, now), time, now), hasMore: false };
  },
};

const challenge = () =>
  new ProviderProblem('quota', 'it wants proof that a person is searching (CAPTCHA), so it is not asked for a while', {
    retryAfterMs: REST_MS,
  });

/** `!word` would send the search to another site, and a backslash to the first result. */
const withoutBangs = (text: string): string => text.replace(/(?<!\S)[!\\]+/g, '').trim();

/** A region implies a language, so it is sent only if the language fits. */
function regionOf({ country, language = DEFAULT_LANGUAGE }: Conditions): string | undefined {
  const code = country === 'GB' ? 'uk' : country.toLowerCase();
  const region = `${code}-${REGION_LANGUAGES[`${country} ${language}`] ?? language}`;
  return REGIONS.has(region) ? region : undefined;
}

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
  if (isChallenge) throw challenge();
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
