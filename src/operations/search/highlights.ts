// The description of a result that providers found: the passage that fits the query best, from the page's own text where
// it is known, unless that says less than the provider does.
import type { Query } from '../../contracts/search/search-query.ts';
import type { PageIndex, VisiblePages } from '../../index/page-index.ts';
import type { Fused } from '../../search/fuse.ts';
import type { ResultCandidate } from '../../search/match/visible-result.ts';
import { INDEX_NAME } from '../../search/providers/provider-names.ts';
import { bestPassage, saysLess } from '../../text/passages/passages.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { queryWords } from '../../text/words/terms.ts';
import { normaliseUrl } from '../../urls/url.ts';

/** Providers that send whole paragraphs get a passage of them. */
const LONG_DESCRIPTION = 300;

/** Results of the own index have a passage already. */
export const isForeign = ({ given }: Fused<ResultCandidate>): boolean =>
  !given.some(({ provider }) => provider === INDEX_NAME);

/** `writtenBy` gives what a provider wrote about a page that the index found too. */
export async function withPassages(
  index: Pick<PageIndex, 'passages'> | undefined,
  visible: VisiblePages,
  query: Query,
  results: Fused<ResultCandidate>[],
  writtenBy: (url: string) => string | undefined,
): Promise<Fused<ResultCandidate>[]> {
  const foreign = results.filter(isForeign);
  const urls = foreign.map(({ result }) => normaliseUrl(new URL(result.url)));
  // A damaged index has been reported already; what the providers wrote remains.
  const passages = (urls.length > 0 && (await index?.passages({ ...visible, query, urls }).catch(() => []))) || [];
  const passageOf = new Map(foreign.map((one, at) => [one, passages[at] ?? undefined]));
  return results.map((one) => {
    const { result } = one;
    const description = isForeign(one)
      ? bestDescription(result.description, passageOf.get(one), query)
      : bestDescription(writtenBy(result.url) ?? '', result.description, query);
    return { ...one, result: { ...result, description } };
  });
}

export function bestDescription(description: string, passage: string | undefined, query: Query): string {
  const given = description.length > LONG_DESCRIPTION ? (passageIn(description, query) ?? description) : description;
  return passage === undefined || saysLess(passage, given, queryWords(query.text)) ? given : passage;
}

export function passageIn(text: string, { text: typed, clauses }: Query): string | undefined {
  const phrases = clauses.flatMap((clause) => (clause.kind === 'phrase' && !clause.negated ? [clause.text] : []));
  return bestPassage(text, guessLanguage(text), { words: queryWords(typed), phrases });
}
