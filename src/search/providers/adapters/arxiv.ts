// arXiv, through its Atom API. Dates and the time filter refer to the first version of a paper.
import { readDate } from '../../../util/read-date.ts';
import type { Provider, ProviderQuery, ProviderResult } from '../provider.ts';
import { plainText } from '../toolkit/answer-fields.ts';
import { problem } from '../toolkit/answer-problem.ts';
import { readAtom } from '../toolkit/atom-feed.ts';
import { canBeOnHosts, lockedOut } from '../toolkit/keyless.ts';
import { NO_RESULTS } from '../toolkit/request-values.ts';
import { type BooleanSyntax, booleanText, descriptionOf, wordingOf } from '../toolkit/wording.ts';

const MAX_COUNT = 50;
const BEGINNING = Date.UTC(1991, 0, 1);
const SYNTAX: BooleanSyntax = {
  word: (word) => `all:${word}`,
  phrase: (phrase) => `all:"${phrase}"`,
  not: 'ANDNOT',
};

export const arxiv: Provider = {
  name: 'arxiv',
  label: 'arXiv',
  url: 'https://export.arxiv.org',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['research'],
  category: 'research',
  // Phrases also match other forms of their words.
  capabilities: () => ({ clauses: ['word'], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['arxiv.org'], question),
  async search(question, { url, ask, signal }) {
    const { query, conditions, page, now } = question;
    const search_query = queryText(question);
    if (search_query === '') return NO_RESULTS;
    const size = Math.min(question.count, MAX_COUNT);
    const answer = await ask.text(
      {
        url: `${url}/api/query`,
        parameters: {
          search_query,
          start: page * size,
          max_results: size,
          sortBy: conditions.sortByDate ? 'submittedDate' : 'relevance',
          sortOrder: 'descending',
        },
        problemOf: lockedOut,
      },
      signal,
    );
    if (/^\s*rate exceeded/i.test(answer.text)) throw problem('quota');
    const { total, entries } = readAtom(answer.text);
    if (entries[0]?.id?.includes('/api/errors')) throw problem('refused');
    return {
      results: entries.flatMap((entry) => readEntry(entry, query, now)),
      hasMore: (page + 1) * size < Number(total ?? 0),
    };
  },
};

function queryText({ query, conditions: { time, sortByDate }, now }: ProviderQuery): string {
  const text = booleanText(wordingOf(query), SYNTAX, sortByDate);
  if (text === '' || !time) return text;
  const [from, until] = [time.from ?? BEGINNING, (time.until ?? now) - 1].map(minuteOf);
  return `submittedDate:[${from} TO ${until}] AND ${text}`;
}

const minuteOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 12);

function readEntry(entry: Record<string, string>, query: ProviderQuery['query'], now: number): ProviderResult[] {
  const id = /arxiv\.org\/abs\/([\w.\-/]{4,40})$/.exec(entry.id?.trim() ?? '')?.[1]?.replace(/v\d+$/, '');
  if (id === undefined) return [];
  return [
    {
      url: `https://arxiv.org/abs/${id}`,
      title: plainText(entry.title),
      description: descriptionOf(plainText(entry.summary, 10_000), query),
      date: readDate(entry.published ?? '', now),
    },
  ];
}
