// Exa: semantic search without operators. Sites, times, one phrase and one exclusion are parameters; related sites have
// their own endpoint.
import type { Category, Clause, Query, RelatedClause } from '../../../../contracts/search/search-query.ts';
import { readDate } from '../../../../text/dates/read-date.ts';
import { type Dialect, writeQuery } from '../../../query/write-query.ts';
import type { Provider, ProviderQuery, ProviderResult } from '../../provider.ts';
import { httpUrl, list, plainText, record } from '../../toolkit/answer-fields.ts';
import { expectMember } from '../../toolkit/answer-problem.ts';
import { domainsOf, NO_RESULTS } from '../../toolkit/request-values.ts';

const MAX_COUNT = 100;
/** Maximum words of a required or excluded text. */
const MAX_WORDS = 5;
const DIALECT: Dialect = { clauses: ['word'], negated: [], domains: 'none' };
const CATEGORIES: Record<Category, string> = { github: 'github', research: 'research paper', pdf: 'pdf' };

export const exa: Provider = {
  name: 'exa',
  label: 'Exa',
  url: 'https://api.exa.ai',
  needs: 'key',
  sources: ['web', 'news'],
  capabilities: () => ({
    clauses: ['site', 'related'],
    time: 'range',
    domains: true,
    maxCount: MAX_COUNT,
    maxPages: 1,
  }),

  async search(asked, { url, key = '', ask, signal }) {
    const words = writeQuery(asked.query, DIALECT, asked.conditions);
    const related = asked.query.clauses.find(
      (clause): clause is RelatedClause => clause.kind === 'related' && !clause.negated,
    );
    if (!related && words === '') return NO_RESULTS;
    const subject = related
      ? { url: `https://${related.host}`, excludeSourceDomain: true }
      : { query: words, type: 'auto' };
    const answer = await ask.json(
      {
        url: `${url}/${related ? 'findSimilar' : 'search'}`,
        body: { ...subject, ...bodyOf(asked) },
        headers: { 'x-api-key': key },
      },
      signal,
    );
    const items = list(expectMember(answer, 'results').results);
    return { results: items.flatMap((item) => readResult(record(item), asked)), hasMore: false };
  },
};

function bodyOf({ query, conditions, source, count }: ProviderQuery): Record<string, unknown> {
  const { time, categories, country, safe } = conditions;
  const [category, ...others] = categories;
  // Its category finds more than our list of hosts would, but only one can be requested.
  const own = source === 'news' ? 'news' : category && others.length === 0 ? CATEGORIES[category] : undefined;
  const { include, exclude } = domainsOf(query, own ? { ...conditions, categories: [] } : conditions);
  const includeText = shortText(query, false);
  const excludeText = shortText(query, true);
  return {
    numResults: Math.min(count, MAX_COUNT),
    contents: { highlights: true },
    userLocation: country,
    ...(own && { category: own }),
    ...(include.length > 0 && { includeDomains: include }),
    ...(exclude.length > 0 && { excludeDomains: exclude }),
    ...(time?.from !== undefined && { startPublishedDate: new Date(time.from).toISOString() }),
    ...(time?.until !== undefined && { endPublishedDate: new Date(time.until - 1).toISOString() }),
    ...(includeText && { includeText: [includeText] }),
    ...(excludeText && { excludeText: [excludeText] }),
    ...(safe && { moderation: true }),
  };
}

/** The first text that is short enough, because Exa accepts only one. */
function shortText({ clauses }: Query, negated: boolean): string | undefined {
  const isText = (clause: Clause) => clause.kind === 'phrase' || (clause.kind === 'word' && negated);
  for (const clause of clauses) {
    if (clause.negated !== negated || !isText(clause) || !('text' in clause)) continue;
    if (clause.text.split(/\s+/).length <= MAX_WORDS) return clause.text;
  }
  return undefined;
}

function readResult(item: Record<string, unknown>, { source, now }: ProviderQuery): ProviderResult[] {
  const url = httpUrl(item.url) ?? httpUrl(item.id);
  if (!url) return [];
  const highlights = list(item.highlights).map((highlight) => plainText(highlight));
  return [
    {
      url,
      title: plainText(item.title),
      description: highlights.find((highlight) => highlight !== '') ?? plainText(item.text),
      date: readDate(plainText(item.publishedDate), now),
      ...(source === 'news' && { imageUrl: httpUrl(item.image) }),
    },
  ];
}
