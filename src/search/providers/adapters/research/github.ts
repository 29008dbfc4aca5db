// GitHub: repositories, and with a key also issues and code. Repositories are dated by their last push, issues by their
// creation; code has no date and is left out of time-filtered searches.
import type { Query, TimeRange } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderAnswer, ProviderContext, ProviderQuery, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, positive, record } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { askGithub } from '../../toolkit/github-api.ts';
import { searchItems } from '../../toolkit/github-items.ts';
import { canBeOnHosts } from '../../toolkit/keyless.ts';
import { NO_RESULTS } from '../../toolkit/request-values.ts';
import { contentWords, descriptionOf, wordingOf } from '../../toolkit/wording.ts';

const MAX_COUNT = 100;
const MAX_RESULTS = 1_000;
// Qualifiers do not count towards the length.
const DIALECT: Dialect = { clauses: ['word', 'phrase'], negated: [], domains: 'none', maxLength: 256 };
const NAMES_AND_TEXT = 'in:name,description,topics,readme';
// Names and one-line descriptions rarely match more words than this.
const MAX_WORDS_OF_A_NAME = 3;

/** One kind of search result. */
interface Kind {
  path: string;
  sort: string;
  qualifiers(words: number, time: TimeRange | undefined): string[];
  read(item: Record<string, unknown>, query: Query, now: number): Omit<ProviderResult, 'url'>;
}

const repositories: Kind = {
  path: 'repositories',
  sort: 'updated',
  qualifiers: (words, time) => [...(words > MAX_WORDS_OF_A_NAME ? [NAMES_AND_TEXT] : []), ...range('pushed', time)],
  read: ({ full_name, description, pushed_at }, _query, now) => ({
    title: plainText(full_name),
    description: plainText(description, 500),
    date: readDate(plainText(pushed_at), now),
  }),
};

const issues: Kind = {
  path: 'issues',
  sort: 'created',
  qualifiers: (_words, time) => ['is:issue', ...range('created', time)],
  read: ({ title, body, created_at }, query, now) => ({
    title: plainText(title),
    description: descriptionOf(plainText(body, 10_000), query),
    date: readDate(plainText(created_at), now),
  }),
};

const code: Kind = {
  path: 'code',
  sort: '',
  qualifiers: () => [],
  read: ({ path, repository, text_matches }) => ({
    title: `${plainText(record(repository).full_name)}: ${plainText(path)}`,
    description: plainText(record(list(text_matches)[0]).fragment, 500),
  }),
};

export const github: Provider = {
  name: 'github',
  label: 'GitHub',
  url: 'https://api.github.com',
  needs: 'nothing',
  sources: ['web'],
  onlyFor: ['github'],
  category: 'github',
  capabilities: () => ({ clauses: [], time: 'range', domains: false, maxCount: MAX_COUNT, maxPages: 10 }),
  covers: (question) => canBeOnHosts(['github.com'], question),
  async search(question, context) {
    const { time, code: filter } = question.conditions;
    if (filter) return searchItems(filter, question, context);
    const kinds = context.key === undefined ? [repositories] : [repositories, issues, ...(time ? [] : [code])];
    const size = Math.ceil(Math.min(question.count, MAX_COUNT) / kinds.length);
    const asked = await Promise.allSettled(kinds.map((kind) => searchKind(kind, size, question, context)));
    const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [first] = asked;
    if (answers.length === 0 && first?.status === 'rejected') throw first.reason;
    return {
      results: takeInTurns(answers.map(({ results }) => results)),
      hasMore: answers.some(({ hasMore }) => hasMore),
    };
  },
};

async function searchKind(
  { path, sort, qualifiers, read }: Kind,
  size: number,
  { query, conditions, page, now }: ProviderQuery,
  context: ProviderContext,
): Promise<ProviderAnswer> {
  const words = contentWords(wordingOf(query).words);
  const clauses = query.clauses.filter((clause) => clause.kind !== 'word' || words.includes(clause.text));
  const text = writeQuery({ ...query, clauses }, DIALECT);
  if (text === '' || page * size >= MAX_RESULTS) return NO_RESULTS;
  const answer = await askGithub(
    `/search/${path}`,
    {
      q: [text, ...qualifiers(words.length, conditions.time)].join(' '),
      ...(conditions.sortByDate && sort !== '' && { sort, order: 'desc' }),
      per_page: size,
      page: page + 1,
    },
    context,
  );
  const found = expectMember(answer, 'items');
  const results = list(found.items).flatMap((value): ProviderResult[] => {
    const item = record(value);
    const address = httpUrl(item.html_url);
    return address === undefined ? [] : [{ url: address, ...read(item, query, now) }];
  });
  return { results, hasMore: (page + 1) * size < Math.min(positive(found.total_count) ?? 0, MAX_RESULTS) };
}

function range(name: string, { from, until }: TimeRange = {}): string[] {
  const second = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
  if (from !== undefined && until !== undefined) return [`${name}:${second(from)}..${second(until - 1)}`];
  if (from !== undefined) return [`${name}:>=${second(from)}`];
  return until === undefined ? [] : [`${name}:<${second(until)}`];
}

/** Interleaves the lists: the first of each, then the second of each, and so on. */
function takeInTurns<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((one) => one.slice(at, at + 1))).flat();
}
