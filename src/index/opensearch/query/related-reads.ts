// What `related:` reads, as searches of OpenSearch.
import { MAX_RELATED, type RelatedReads } from '../../query/related-pages.ts';
import { RELATED } from '../../ranking/ranking-weights.ts';
import { candidateSearch } from './candidate-search.ts';
import type { SearchFetch } from './fetched.ts';
import { type OpenSearchClause, visibleClauses } from './filter-clauses.ts';
import { wordClauses } from './score-clauses.ts';

const MOST_LINKED = 1_000;
const BY_RANK = [{ rank: 'desc' }, { change: 'desc' }];

export function createRelatedReads(fetched: SearchFetch): RelatedReads {
  const scope = (filter: OpenSearchClause[], mustNot: OpenSearchClause[] = []) => ({ filter, mustNot, named: [] });
  return {
    pagesOf(host, search) {
      const should = [
        { function_score: { field_value_factor: { field: 'rank' }, boost_mode: 'replace' } },
        { constant_score: { filter: { term: { isFrontPage: true } }, boost: RELATED.frontPage } },
      ];
      const own = scope([...visibleClauses(search), { terms: { domains: [host] } }]);
      fetched.load(candidateSearch(own, { size: MAX_RELATED, should }));
    },
    pagesWithKeys(keys) {
      if (keys.length > 0)
        fetched.load(candidateSearch(scope([{ terms: { key: keys } }]), { size: MAX_RELATED, sort: BY_RANK }));
    },
    similar({ host, words, linked, search }) {
      const visible = visibleClauses(search);
      const own = { terms: { domains: [host] } };
      const ofLinked = { terms: { host: linked.slice(0, MOST_LINKED) } };
      const boost = { constant_score: { filter: ofLinked, boost: RELATED.linkedHost } };
      const before = fetched.misses;
      const should = wordClauses(words, fetched.statistics());
      if (fetched.misses > before) return;
      if (should.length > 0) {
        const must = { bool: { should, minimum_should_match: 1 } };
        fetched.load(candidateSearch(scope(visible, [own]), { size: MAX_RELATED, must, should: [boost] }));
      }
      if (linked.length > 0) {
        const best = candidateSearch(scope([...visible, ofLinked], [own]), { size: MAX_RELATED, sort: BY_RANK });
        fetched.load({ ...best, collapse: { field: 'host' } });
      }
    },
  };
}
