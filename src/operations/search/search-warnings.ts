// What a caller is told beside the results: operators that nobody could apply, and providers that did not answer.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { didNotAnswer, warningOf } from '../../search/federation/provider-run.ts';
import { INDEX_NAME } from '../../search/providers/provider-names.ts';
import type { AskedSource } from './search-request.ts';
import type { FoundSource } from './search-source.ts';

/** Tells that nothing was searched because the query names nothing to look for. */
export function nothingToLookFor(empty: readonly AskedSource[], searched: readonly AskedSource[]): string[] {
  if (empty.length === 0) return [];
  const names = empty.map(({ source }) => `\`${source}\``).join(' and ');
  const result = searched.length === 0 ? 'nothing was searched' : `${names} was not searched`;
  return [`The query has no word to look for, so ${result}. Add a word, or an operator such as \`site:\`.`];
}

/** Throws if no provider answered and the own index found nothing: an empty answer would claim that there is nothing. */
export function requireAnswer(found: readonly FoundSource[]): void {
  const runs = found.flatMap((source) => source.runs);
  const providers = runs.filter(({ provider }) => provider !== INDEX_NAME);
  const asked = providers.length > 0 ? providers : runs;
  const isAnswered =
    found.some(({ results, blocked }) => results.length + blocked > 0) ||
    asked.some(({ state }) => state === 'answered');
  if (isAnswered || asked.length === 0) return;
  // Providers that rest were not asked, so more time would not help them.
  const tried = asked.filter(({ state }) => state !== 'resting');
  const isTime = tried.length > 0 && tried.every(({ state, isHurried }) => state === 'timed-out' && isHurried);
  const advice = isTime ? 'Raise `timeout`, or try again later.' : 'Try again later, or check the provider settings.';
  throw new ServiceError(isTime ? 'SCRAPE_TIMEOUT' : 'SEARCH_FAILED', {
    message: `${didNotAnswer(asked)} This service's own index has no matching page either. ${advice}`,
  });
}

export function sourceWarnings(found: readonly FoundSource[]): string[] {
  const runs = found.flatMap((source) => source.runs);
  const unhonoured = [...new Set(found.flatMap((source) => source.unhonoured))];
  const silent = warningOf(runs);
  const isEmpty = found.length > 0 && found.every(({ results }) => results.length === 0);
  const isIndexAlone = runs.length > 0 && runs.every(({ provider }) => provider === INDEX_NAME);
  return [
    ...unhonoured.map(
      (operator) =>
        `Nobody could apply \`${operator}\`: the index has no page of that site, and no provider that answered supports it.`,
    ),
    ...(silent === undefined ? [] : [silent]),
    ...(isEmpty && isIndexAlone && unhonoured.length === 0
      ? ["Only this service's own index was searched, because no search provider is set up for this search."]
      : []),
  ];
}
