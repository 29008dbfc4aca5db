// When nothing was found: how many pages there are without each of the conditions.
import type { IndexSearchResponse } from '../../../contracts/search/index-search.ts';
import type { FoundPages, IndexFind } from '../../../index/page-index.ts';
import { parseQuery } from '../../../search/query/query.ts';
import { type TypedQuery, withoutCondition } from '../../../search/query/typed-query.ts';

export type Relaxed = NonNullable<IndexSearchResponse['data']['relaxed']>;

/** Each is a search of its own. */
const MOST_TRIED = 8;
/** Up to this many pages are checked one by one, so that their number is exact. */
const COUNTED = 10;

interface Attempt {
  condition: string;
  isFilter: boolean;
  query: string;
  find: IndexFind;
}

export async function relax(
  search: (find: IndexFind) => Promise<FoundPages>,
  asked: IndexFind,
  typed: TypedQuery,
): Promise<Relaxed> {
  const relaxed: Relaxed = [];
  for (const { find, ...attempt } of attemptsOf(asked, typed).slice(0, MOST_TRIED)) {
    const { total, totalIs, isSetApart } = await search({ ...find, limit: COUNTED, facets: false, explain: false });
    if (total > 0 && !isSetApart) relaxed.push({ ...attempt, total, totalIs });
  }
  return relaxed.sort((a, b) => b.total - a.total);
}

function attemptsOf(asked: IndexFind, { text, conditions }: TypedQuery): Attempt[] {
  const { time: _, ...timeless } = asked.conditions;
  const without = (condition: string, changed: Partial<IndexFind>): Attempt => ({
    ...{ condition, isFilter: true, query: text },
    find: { ...asked, ...changed },
  });
  return [
    ...conditions.map((condition): Attempt => {
      const query = withoutCondition(text, condition);
      return { condition: condition.text, isFilter: false, query, find: { ...asked, query: parseQuery(query) } };
    }),
    ...(asked.conditions.includeDomains.length > 0
      ? [without('includeDomains', { conditions: { ...asked.conditions, includeDomains: [] } })]
      : []),
    ...(asked.languages?.length ? [without('languages', { languages: [] })] : []),
    ...(asked.kinds?.length ? [without('kinds', { kinds: [] })] : []),
    ...(asked.conditions.time ? [without('tbs', { conditions: timeless })] : []),
  ];
}
