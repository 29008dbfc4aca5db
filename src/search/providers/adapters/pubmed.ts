// PubMed in two steps: the ids of the articles, then their summaries. Abstracts would need a third request; authors and
// journal are enough for a description.
import { readDate } from '../../../util/read-date.ts';
import type { Provider, ProviderContext, ProviderQuery, ProviderResult } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';
import { list, positive, record, text } from '../toolkit/answer-fields.ts';
import { expectMember, problem, problemKindOf } from '../toolkit/answer-problem.ts';
import { dayOf, dayRange } from '../toolkit/day-range.ts';
import { canBeOnHosts, lockedOut } from '../toolkit/keyless.ts';
import { NO_RESULTS } from '../toolkit/request-values.ts';
import { type BooleanSyntax, booleanText, wordingOf } from '../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_START = 9_900;
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
    const size = Math.min(question.count, MAX_COUNT);
    const start = question.page * size;
    const term = booleanText(wordingOf(question.query), SYNTAX, question.conditions.sortByDate);
    if (term === '' || start > MAX_START) return NO_RESULTS;
    const { ids, total } = await findArticles(term, question, { start, size }, context);
    if (ids.length === 0) return NO_RESULTS;
    const summaries = record((await askEutils('esummary', { id: ids.join(',') }, context)).result);
    return {
      results: ids.flatMap((id) => readSummary(id, summaries[id], question.now)),
      hasMore: start + size < total,
    };
  },
};

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
