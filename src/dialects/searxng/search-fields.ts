// The parameters of a SearXNG search, which arrive as texts.
import { z } from 'zod';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectRequest } from '../dialect.ts';
import { type CutQuery, cutQuery } from '../shared/cut-query.ts';
import { isYes, namesIn, sentFields } from '../shared/sent-fields.ts';
import { type AskedKinds, readKinds } from './kinds.ts';

export const FORMATS = ['html', 'json', 'csv', 'rss'] as const;
export type ResultFormat = (typeof FORMATS)[number];

export interface PagedSearch extends CutQuery {
  kinds: AskedKinds;
  /** The page holds the results from this one on. */
  skip: number;
  limit: number;
  tbs?: string;
  lang?: string;
  country?: string;
  safe?: true;
  timeout?: number;
}

const PAGE_RESULTS = 20;
const TIMES: Readonly<Record<string, string>> = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' };
const LANGUAGE = /^[a-z]{2,3}(?:-[a-zA-Z]{2})?$/;
const ANY_LANGUAGE = new Set(['all', 'auto', 'none']);
const MAX_TEXT = 20_000;

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(MAX_TEXT));

export const searchFields = z.object({
  q: text.optional().describe('What to search for. `!bang`, `:lang` and `<timeout` at its beginning are removed.'),
  format: text.optional().describe('json, html, csv or rss; html by default.'),
  categories: text.optional().describe('With commas: general, news, images, science, it, files, videos, social media.'),
  engines: text.optional().describe('With commas. Names that mean nothing here are ignored.'),
  language: text.optional().describe('`de`, `de-AT`, `all` or `auto`.'),
  pageno: text.optional().describe(`A whole number from 1. A page has ${PAGE_RESULTS} results, and there are 5.`),
  time_range: text.optional().describe('day, week, month or year.'),
  safesearch: text.optional().describe('0, 1 or 2.'),
  timeout_limit: text.optional().describe('Seconds.'),
  num: text.optional().describe('Number of results, up to 100; also `limit`, `results_per_page` and `numResults`.'),
  limit: text.optional(),
  results_per_page: text.optional(),
  numResults: text.optional(),
});

type Fields = z.output<typeof searchFields>;

/** The query as it was sent, undefined without one. */
export interface SentSearch {
  q: string | undefined;
  format: ResultFormat;
  fields: Fields;
  categories: string[];
}

export function readSent(request: Pick<DialectRequest, 'query' | 'body'>): SentSearch {
  const sent = sentFields(request);
  const fields = validate(searchFields, sent);
  const switched = Object.entries(sent).flatMap(([name, value]) =>
    name.startsWith('category_') && isYes(value) ? [name.slice('category_'.length)] : [],
  );
  const format = FORMATS.find((known) => known === fields.format) ?? 'html';
  const q = fields.q?.trim() || undefined;
  return { q, format, fields, categories: [...namesIn(fields.categories), ...switched] };
}

/** Throws BAD_REQUEST. */
export function readSearch({ q = '', fields, categories }: SentSearch): PagedSearch {
  const { words, language } = withoutMarks(q);
  const page = wholeNumber('pageno', fields.pageno) ?? 1;
  const asked = fields.num ?? fields.limit ?? fields.results_per_page ?? fields.numResults;
  const size = Math.min(wholeNumber('num', asked) ?? PAGE_RESULTS, MAX_SEARCH_LIMIT);
  return {
    ...cutQuery(words),
    kinds: readKinds(categories, namesIn(fields.engines)),
    ...{ skip: (page - 1) * size, limit: page * size },
    ...timeOf(fields.time_range),
    ...(language ?? languageOf(fields.language)),
    ...(safeOf(fields.safesearch) && { safe: true as const }),
    ...timeoutOf(fields.timeout_limit),
  };
}

/** `!images :de <5 lamp` -> `lamp` in German. */
function withoutMarks(q: string): { words: string; language?: Language } {
  let language: Language | undefined;
  let words = q;
  for (;;) {
    const mark = /^(?:!{1,2}[\w-]+|:([a-z]{2,3}(?:-[a-zA-Z]{2})?|all|auto)|<\d{1,5})(?:\s+|$)/.exec(words);
    if (!mark) return { words, ...(language && { language }) };
    if (mark[1] !== undefined) language = languageOf(mark[1]);
    words = words.slice(mark[0].length);
  }
}

interface Language {
  lang?: string;
  country?: string;
}

function languageOf(given = 'all'): Language {
  const tag = given.replace(/,+$/, '');
  if (ANY_LANGUAGE.has(tag.toLowerCase()) || tag === '') return {};
  if (!LANGUAGE.test(tag)) throw invalid('language', given);
  const [lang, country] = tag.split('-');
  return { lang, ...(country !== undefined && { country: country.toUpperCase() }) };
}

function timeOf(given = 'None'): { tbs?: string } {
  if (given === 'None') return {};
  const tbs = TIMES[given];
  if (tbs === undefined) throw invalid('time_range', given);
  return { tbs };
}

function safeOf(given = '0'): boolean {
  if (!/^[012]$/.test(given)) throw invalid('safesearch', given);
  return given !== '0';
}

const LONGEST_TIMEOUT_S = 600;

function timeoutOf(given: string | undefined): { timeout?: number } {
  if (given === undefined || given === 'None') return {};
  const seconds = Number(given);
  if (!(seconds > 0)) throw invalid('timeout_limit', given);
  return { timeout: Math.ceil(Math.min(seconds, LONGEST_TIMEOUT_S) * 1000) };
}

function wholeNumber(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,6}$/.test(given) && Number(given) >= 1) return Number(given);
  throw invalid(name, given);
}

/** As SearXNG words it. */
const invalid = (name: string, value: string): ServiceError =>
  new ServiceError('BAD_REQUEST', { message: `Invalid value "${value.slice(0, 100)}" for parameter ${name}` });
