// arXiv, through its Atom API. Dates and the time filter refer to the first version of a paper.
import type { Paper } from '../../../../contracts/search/paper.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { wordsOf } from '../../../../text/words/tokenizer.ts';
import { idsIn } from '../../../papers/paper-id.ts';
import type { Provider, ProviderQuery, ProviderResult } from '../../provider.ts';
import { plainText } from '../../toolkit/answer-fields.ts';
import { problem } from '../../toolkit/answer-problem.ts';
import { type AtomEntry, readAtom } from '../../toolkit/atom-feed.ts';
import { canBeOnHosts, lockedOut } from '../../toolkit/keyless.ts';
import { MAX_ABSTRACT, newPaper } from '../../toolkit/paper-record.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { type BooleanSyntax, booleanText, descriptionOf, wordingOf } from '../../toolkit/wording.ts';

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
    const selection = selectionOf(question);
    if (!selection) return NO_RESULTS;
    const size = Math.min(question.count, MAX_COUNT);
    const answer = await ask.text(
      {
        url: `${url}/api/query`,
        parameters: {
          ...selection,
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
    if (entries[0]?.texts.id?.includes('/api/errors')) throw problem('refused');
    return {
      results: entries.flatMap((entry) => {
        const paper = readPaper(entry, url);
        if (!paper) return [];
        const result = resultOf(paper, entry, query, now);
        return [conditions.papers ? { ...result, paper } : result];
      }),
      hasMore: (page + 1) * size < Number(total ?? 0),
    };
  },
};

/** Undefined if arXiv cannot have what is asked for. */
function selectionOf(question: ProviderQuery): { search_query: string } | { id_list: string } | undefined {
  const { ref, relation } = question.conditions.papers ?? {};
  if (ref) return ref.namespace === 'arxiv' ? { id_list: ref.value } : undefined;
  const search_query = relation ? '' : queryText(question);
  return search_query === '' ? undefined : { search_query };
}

function queryText({ query, conditions: { time, sortByDate, papers }, now }: ProviderQuery): string {
  const text = booleanText(wordingOf(query), SYNTAX, sortByDate);
  if (text === '') return '';
  const authors = (papers?.authors ?? []).map((name) => `au:"${wordsOf(name).join(' ')}"`);
  const categories = (papers?.categories ?? []).map((name) => `cat:${name.replace(/[^\w.-]/g, '')}`);
  const [from, until] = [time?.from ?? BEGINNING, (time?.until ?? now) - 1].map(minuteOf);
  const range = time ? [`submittedDate:[${from} TO ${until}]`] : [];
  return [...range, text, ...authors, ...categories].join(' AND ');
}

const minuteOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 12);

/** `base` is the address that serves the files too. */
function readPaper({ texts, authors, categories }: AtomEntry, base: string): Paper | undefined {
  const arxiv = idsIn(texts.id).arxiv;
  if (arxiv === undefined) return undefined;
  return newPaper({
    ids: { ...idsIn(texts.doi), arxiv },
    title: plainText(texts.title),
    abstract: plainText(texts.summary, MAX_ABSTRACT),
    authors: authors.map((name) => plainText(name, 200)),
    categories,
    created: texts.published,
    updated: texts.updated,
    fullTexts: [`${base}/pdf/${arxiv}`],
  });
}

const resultOf = (
  { ids, title, abstract }: Paper,
  { texts }: AtomEntry,
  query: ProviderQuery['query'],
  now: number,
): ProviderResult => ({
  url: `https://arxiv.org/abs/${ids.arxiv}`,
  title,
  description: descriptionOf(abstract, query),
  date: readDate(texts.published ?? '', now),
});
