// OpenAlex: a catalogue of research. Without a key it allows about a hundred searches a day; free keys allow more.
import type { Paper, PaperRef, PaperRelation } from '../../../../contracts/search/paper.ts';
import type { Conditions, Query } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { idsIn } from '../../../papers/paper-id.ts';
import type { Provider, ProviderContext, ProviderQuery, ProviderResult } from '../../provider.ts';
import type { ProblemKind } from '../../provider-problem.ts';
import { httpUrl, list, plainText, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../../toolkit/keyless.ts';
import { MAX_ABSTRACT, newPaper } from '../../toolkit/paper-record.ts';
import { type BooleanSyntax, booleanText, descriptionOf, wordingOf } from '../../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_ABSTRACT_WORDS = 5_000;
const FIELDS = 'id,doi,display_name,publication_date,primary_location,abstract_inverted_index';
const PAPER_FIELDS = `${FIELDS},ids,authorships,cited_by_count,best_oa_location,locations`;
const RELATIONS: Readonly<Record<PaperRelation, string>> = {
  similar: 'related_to',
  citers: 'cites',
  references: 'cited_by',
};
const NO_WORKS: Works = { works: [], hasMore: false };
const SYNTAX: BooleanSyntax = { word: (word) => word, phrase: (phrase) => `"${phrase}"`, not: 'NOT' };

export const openalex: Provider = {
  name: 'openalex',
  label: 'OpenAlex',
  url: 'https://api.openalex.org',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  // Phrases also match other forms of their words.
  capabilities: () => ({ clauses: ['word'], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['doi.org'], question),
  async search(question, context) {
    const { query, conditions, now } = question;
    const { papers } = conditions;
    const { works, hasMore } = papers?.ref
      ? await askForWork(papers.ref, context)
      : await askForWorks(question, context);
    const results = works.flatMap((work) =>
      readWork(work, query, now).map((result) => (papers ? { ...result, paper: readPaper(work) } : result)),
    );
    return { results, hasMore };
  },
};

interface Works {
  works: Record<string, unknown>[];
  hasMore: boolean;
}

async function askForWorks(question: ProviderQuery, context: ProviderContext): Promise<Works> {
  const { query, conditions, count, page, now } = question;
  const { sortByDate, papers } = conditions;
  const relation = papers?.relation;
  const search = relation ? undefined : booleanText(wordingOf(query), SYNTAX, sortByDate);
  if (search === '') return NO_WORKS;
  const size = Math.min(count, MAX_COUNT);
  const answer = await askOpenAlex(
    '/works',
    {
      search,
      page: page + 1,
      'per-page': size,
      filter: relation ? `${RELATIONS[relation.mode]}:${relation.work}` : dateFilter(conditions, now),
      sort: relation ? 'cited_by_count:desc' : sortByDate ? 'publication_date:desc' : undefined,
      select: papers ? PAPER_FIELDS : FIELDS,
    },
    context,
  );
  const found = expectMember(answer, 'results');
  return {
    works: list(found.results).map(record),
    hasMore: (page + 1) * size < (positive(record(found.meta).count) ?? 0),
  };
}

/** A work that it does not know is refused with 404. */
async function askForWork({ namespace, value }: PaperRef, context: ProviderContext): Promise<Works> {
  // It answers ids with these signs as if there were too many requests.
  if (/[,&|]/.test(value)) return NO_WORKS;
  const id = namespace === 'arxiv' ? `doi:10.48550/arXiv.${value}` : `${namespace}:${value}`;
  const path = namespace === 'openalex' ? value : encodeURI(id).replace(/[?#]/g, encodeURIComponent);
  const answer = await askOpenAlex(`/works/${path}`, { select: PAPER_FIELDS }, context);
  return { works: [expectMember(answer, 'id')], hasMore: false };
}

const askOpenAlex = (
  path: string,
  parameters: Record<string, string | number | undefined>,
  { url, key, ask, signal }: ProviderContext,
): Promise<unknown> =>
  ask.json(
    {
      url: `${url}${path}`,
      parameters: { ...parameters, api_key: key },
      problemOf: key === undefined ? lockedOut : tooFast,
    },
    signal,
  );

function dateFilter({ time, sortByDate }: Conditions, now: number): string | undefined {
  // The catalogue contains future works, which would sort as the newest.
  const { first, last = sortByDate ? dayOf(now) : undefined } = dayRange(time);
  const filters = [first && `from_publication_date:${first}`, last && `to_publication_date:${last}`].filter(Boolean);
  return filters.length > 0 ? filters.join(',') : undefined;
}

function readWork(work: Record<string, unknown>, query: Query, now: number): ProviderResult[] {
  const { id, doi, display_name, publication_date, primary_location, abstract_inverted_index } = work;
  const url = httpUrl(doi) ?? httpUrl(record(primary_location).landing_page_url) ?? httpUrl(id);
  if (url === undefined) return [];
  return [
    {
      url,
      title: text(display_name),
      description: descriptionOf(readAbstract(abstract_inverted_index), query),
      date: readDate(text(publication_date), now),
    },
  ];
}

function readPaper(work: Record<string, unknown>): Paper {
  const { id, doi, display_name, publication_date, abstract_inverted_index, authorships, cited_by_count } = work;
  const { pmid, pmcid } = record(work.ids);
  const places = [work.best_oa_location, ...list(work.locations)].map(record);
  return newPaper({
    ids: idsIn(id, doi, pmid, pmcid, ...places.map((place) => place.landing_page_url)),
    title: text(display_name),
    abstract: readAbstract(abstract_inverted_index),
    authors: list(authorships).map((one) => text(record(record(one).author).display_name, 200)),
    created: text(publication_date),
    ...(typeof cited_by_count === 'number' && { citations: Math.max(0, Math.round(cited_by_count)) }),
    fullTexts: [...places.map((place) => place.pdf_url), places[0]?.landing_page_url],
  });
}

/** It uses 403 for a rate limit. */
const tooFast = (status: number): ProblemKind | undefined => (status === 403 ? 'quota' : undefined);

/** Abstracts come as an inverted index: words with their positions. */
function readAbstract(index: unknown): string {
  const placed: [number, string][] = [];
  for (const [word, positions] of Object.entries(record(index))) {
    for (const position of list(positions)) if (typeof position === 'number') placed.push([position, word]);
    if (placed.length > MAX_ABSTRACT_WORDS) break;
  }
  placed.sort(([a], [b]) => a - b);
  return plainText(placed.map(([, word]) => word).join(' '), MAX_ABSTRACT).replace(/^Abstract\s+/, '');
}
