// GDELT: world news, about 15 minutes after publication. The date of a result is when GDELT found it. Errors come as
// plain text with status 200, and its JSON can be invalid.

import { DEFAULT_LANGUAGE } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { bareTwin } from '../../../../urls/listed-domains.ts';
import type { Provider, ProviderQuery, ProviderResult } from '../../provider.ts';
import { ProviderProblem } from '../../provider-problem.ts';
import { httpUrl, list, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember, problem } from '../../toolkit/answer-problem.ts';
import { lockedOut } from '../../toolkit/keyless.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { contentWords, isSentence, wordingOf } from '../../toolkit/wording.ts';

const MAX_COUNT = 200;
const MAX_QUERY = 250;
/** A part of the hosts is better than none, and the words need room too. */
const MAX_HOSTS_LENGTH = 120;
const BEGINNING = Date.UTC(2017, 0, 1);
// It rejects shorter words, except in scripts where two characters are a word.
const MIN_LETTERS = 3;
/** The two-letter codes whose English names it knows. */
const LANGUAGES =
  'ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv mk ms nl pl pt ro ru sk sl sq sr sv ta th tr uk ur vi zh';

export const gdelt: Provider = {
  name: 'gdelt',
  label: 'GDELT',
  url: 'https://api.gdeltproject.org',
  needs: 'nothing',
  sources: ['news'],
  capabilities: () => ({ clauses: ['word', 'phrase'], time: 'range', domains: true, maxCount: MAX_COUNT, maxPages: 1 }),
  async search(question, { url, ask, signal }) {
    const { conditions, count, page, now } = question;
    const query = queryText(question);
    if (query === '' || page > 0) return NO_RESULTS;
    const { time, sortByDate } = conditions;
    const answer = await ask.text(
      {
        url: `${url}/api/v2/doc/doc`,
        parameters: {
          query,
          mode: 'artlist',
          format: 'json',
          maxrecords: Math.min(count, MAX_COUNT),
          sort: sortByDate ? 'datedesc' : 'hybridrel',
          ...(time && {
            startdatetime: digitsOf(time.from ?? BEGINNING),
            enddatetime: digitsOf(time.until === undefined ? now : time.until - 1),
          }),
        },
        problemOf: lockedOut,
      },
      signal,
    );
    const { articles } = readJson(answer.text);
    return { results: list(articles).flatMap((article) => readArticle(article, now)), hasMore: false };
  },
};

function queryText({ query, conditions }: ProviderQuery): string {
  const { words, phrases, withoutWords, withoutPhrases } = wordingOf(query);
  const sites = query.clauses.filter((clause) => clause.kind === 'site');
  const fixed = [
    ...phrases.map(quote),
    ...[...withoutWords.map(spell).filter(Boolean), ...withoutPhrases.map(quote)].map((unwanted) => `-${unwanted}`),
    either(sites.filter(({ negated }) => !negated).map(({ host }) => host)),
    either(conditions.includeDomains.map((host) => bareTwin(host) ?? host)),
    inLanguage(conditions.language ?? DEFAULT_LANGUAGE),
  ].filter(Boolean);
  const wanted = contentWords(words).map(spell).filter(Boolean);
  const isLoose = isSentence(wanted) && !conditions.sortByDate;
  const fitting = takeFitting(wanted, isLoose ? ' OR ' : ' ', MAX_QUERY - [...fixed, '()'].join(' ').length);
  if (phrases.length === 0 && fitting === '') return '';
  const text = [isLoose && fitting !== '' ? `(${fitting})` : fitting, ...fixed].filter(Boolean).join(' ');
  if (text.length > MAX_QUERY) return '';

  const hosts = sites.filter(({ negated, path }) => negated && path === '').map(({ host }) => host);
  const excluded = [...hosts, ...conditions.excludeDomains].map((host) => `-domainis:${host}`);
  return `${text} ${takeFitting(excluded, ' ', MAX_QUERY - text.length - 1)}`.trimEnd();
}

function inLanguage(code: string): string {
  if (!LANGUAGES.split(' ').includes(code)) return '';
  return `sourcelang:${new Intl.DisplayNames(['en'], { type: 'language' }).of(code)?.toLowerCase()}`;
}

function takeFitting(words: readonly string[], between: string, room: number): string {
  let text = '';
  for (const word of words) {
    const longer = text === '' ? word : text + between + word;
    if (longer.length > room) break;
    text = longer;
  }
  return text;
}

/** Words with punctuation must be quoted. */
function spell(word: string): string {
  const letters = word.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < MIN_LETTERS && !/[^\u0000-\u024f]/.test(word)) return '';
  return /^[\p{L}\p{N}]+$/u.test(word) ? word : quote(word);
}

const quote = (phrase: string): string => `"${phrase.replaceAll('"', ' ').trim()}"`;

/** `domain:` also matches longer names with this ending, `domainis:` only the exact host. Wrong matches are dropped later. */
function either(hosts: readonly string[]): string {
  const parts = hosts.map((host) => `domain:${host}`);
  return parts.length > 1 ? `(${takeFitting(parts, ' OR ', MAX_HOSTS_LENGTH)})` : (parts[0] ?? '');
}

const digitsOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);

function readJson(body: string): Record<string, unknown> {
  const trimmed = body.trim();
  // Without results there is not even an empty list.
  if (trimmed === '' || trimmed === '{}') return {};
  if (!trimmed.startsWith('{')) throw problemIn(trimmed);
  // Invalid backslashes and raw control characters.
  const mended = trimmed
    .replace(/[\u0000-\u001f]/g, ' ')
    .replace(/\\(["\\/bfnrtu])|\\/g, (found, known) => (known ? found : ''));
  try {
    return expectMember(JSON.parse(mended), 'articles');
  } catch {
    throw problem('malformed');
  }
}

function problemIn(message: string): ProviderProblem {
  if (/limit requests|too many/i.test(message)) {
    return new ProviderProblem('quota', 'it allows one search every five seconds', { retryAfterMs: 5_000 });
  }
  return problem(/^[A-Z]/.test(message) ? 'refused' : 'malformed');
}

function readArticle(article: unknown, now: number): ProviderResult[] {
  const { url: address, title, seendate, socialimage } = record(article);
  const url = httpUrl(address);
  if (url === undefined) return [];
  return [
    {
      url,
      title: text(title),
      description: '',
      date: readDate(text(seendate), now),
      imageUrl: httpUrl(socialimage),
    },
  ];
}
