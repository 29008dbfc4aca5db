// PubMed in two steps: the ids of the articles, then their summaries, which have no abstracts: authors and journal are
// enough for a description. Where papers are wanted, whole records come instead of the summaries.

import { readDate } from '../../../../text/dates/read-date.ts';
import { wordsOf } from '../../../../text/words/tokenizer.ts';
import type { Provider, ProviderContext, ProviderQuery, ProviderResult } from '../../provider.ts';
import type { ProblemKind } from '../../provider-problem.ts';
import { list, positive, record, text } from '../../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../../toolkit/keyless.ts';
import { readPubmedPapers } from '../../toolkit/pubmed-records.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { type BooleanSyntax, booleanText, wordingOf } from '../../toolkit/wording.ts';

const MAX_COUNT = 100;
/** Whole records are large. */
const MAX_RECORDS = 50;
const MAX_START = 9_900;
const MAX_DESCRIPTION = 500;
const FIRST_YEAR = '1700';
const NAMED_AUTHORS = 3;
const SYNTAX: BooleanSyntax = { word: (word) => word, phrase: (phrase) => `"${phrase}"[tiab]`, not: 'NOT' };

export const pubmed: Provider = {
  name: 'pubmed',
  label: 'PubMed',
  url: 'https://eutils.ncbi.nlm.nih.gov',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  capabilities: () => ({
    clauses: ['word', 'phrase'],
    time: 'range',
    domains: false,
    maxCount: MAX_COUNT,
    maxPages: 10,
  }),
  covers: (question) => canBeOnHosts(['pubmed.ncbi.nlm.nih.gov'], question),
  async search(question, context) {
    const { papers } = question.conditions;
    const size = Math.min(question.count, papers ? MAX_RECORDS : MAX_COUNT);
    const start = question.page * size;
    const term = termOf(question);
    if (term === '' || start > MAX_START) return NO_RESULTS;
    const { ids, total } = await findArticles(term, question, { start, size }, context);
    if (ids.length === 0) return NO_RESULTS;
    const results = papers
      ? await fetchPapers(ids, question.now, context)
      : await fetchSummaries(ids, question.now, context);
    return { results, hasMore: start + size < total };
  },
};

/** '' if PubMed cannot have what is asked for. */
function termOf({ query, conditions: { sortByDate, papers } }: ProviderQuery): string {
  if (papers?.relation) return '';
  if (papers?.ref) {
    const { namespace, value } = papers.ref;
    return namespace === 'pmid' ? `${value}[uid]` : namespace === 'pmcid' ? `${value}[pmcid]` : '';
  }
  const text = booleanText(wordingOf(query), SYNTAX, sortByDate);
  const authors = (papers?.authors ?? []).map((name) => `${wordsOf(name).join(' ')}[Author]`);
  return text === '' ? '' : [text, ...authors].join(' AND ');
}

async function fetchSummaries(ids: string[], now: number, context: ProviderContext): Promise<ProviderResult[]> {
  const summaries = record((await askEutils('esummary', { id: ids.join(',') }, context)).result);
  return ids.flatMap((id) => readSummary(id, summaries[id], now));
}

/** Whole records, with abstracts. They come as XML. */
async function fetchPapers(ids: string[], now: number, context: ProviderContext): Promise<ProviderResult[]> {
  const { url, key, ask, signal } = context;
  const parameters = { db: 'pubmed', retmode: 'xml', tool: 'trawl', api_key: key, id: ids.join(',') };
  const answer = await ask.text({ url: `${url}/entrez/eutils/efetch.fcgi`, parameters, problemOf }, signal);
  return readPubmedPapers(answer.text).map((paper) => ({
    url: `https://pubmed.ncbi.nlm.nih.gov/${paper.ids.pmid}/`,
    title: paper.title,
    description: paper.abstract.slice(0, MAX_DESCRIPTION),
    date: readDate(paper.created ?? '', now),
    paper,
  }));
}

async function findArticles(
  term: string,
  { conditions, now }: ProviderQuery,
  { start, size }: { start: number; size: number },
  context: ProviderContext,
): Promise<{ ids: string[]; total: number }> {
  const { first, last = dayOf(now) } = dayRange(conditions.time);
  const answer = await askEutils(
    'esearch',
    {
      term,
      retstart: start,
      retmax: size,
      sort: conditions.sortByDate ? 'pub_date' : 'relevance',
      // Both ends of the range are required.
      ...(conditions.time && {
        datetype: 'pdat',
        mindate: slashed(first ?? FIRST_YEAR),
        maxdate: slashed(last),
      }),
    },
    context,
  );
  const found = record(answer.esearchresult);
  if (found.ERROR !== undefined) throw problem('refused');
  // A phrase that is not in its index is searched as single words, which would be wrong results.
  if (list(record(found.warninglist).quotedphrasesnotfound).length > 0) return { ids: [], total: 0 };
  const ids = list(found.idlist).filter((id) => typeof id === 'string' && /^\d{1,12}$/.test(id)) as string[];
  return { ids: ids.slice(0, size), total: positive(found.count) ?? 0 };
}

async function askEutils(
  step: 'esearch' | 'esummary',
  parameters: Record<string, string | number | undefined>,
  { url, key, ask, signal }: ProviderContext,
): Promise<Record<string, unknown>> {
  const answer = expectMember(
    await ask.json(
      {
        url: `${url}/entrez/eutils/${step}.fcgi`,
        parameters: { db: 'pubmed', retmode: 'json', tool: 'trawl', api_key: key, ...parameters },
        problemOf,
      },
      signal,
    ),
    'esearchresult',
    'result',
    'error',
  );
  if (typeof answer.error === 'string') throw problem(problemKindOf(answer.error));
  return answer;
}

function problemOf(status: number, answer: unknown): ProblemKind | undefined {
  const { error } = record(answer);
  return typeof error === 'string' ? problemKindOf(error) : lockedOut(status);
}

function readSummary(id: string, summary: unknown, now: number): ProviderResult[] {
  const { title, authors, fulljournalname, source, pubdate, sortpubdate, error } = record(summary);
  if (title === undefined || error !== undefined) return [];
  const names = list(authors)
    .map((author) => text(record(author).name, 100))
    .filter(Boolean);
  const people = names.slice(0, NAMED_AUTHORS).join(', ') + (names.length > NAMED_AUTHORS ? ' et al.' : '');
  const description = [people, text(fulljournalname, 200) || text(source, 200), text(pubdate, 50)];
  return [
    {
      url: `https://pubmed.ncbi.nlm.nih.gov/${id}/`,
      title: text(title),
      description: description.filter(Boolean).join(' · '),
      date: readDate(text(sortpubdate), now),
    },
  ];
}

const slashed = (day: string): string => day.replaceAll('-', '/');
