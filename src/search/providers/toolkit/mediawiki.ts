// What the adapters of MediaWiki sites share: common parameters, and errors that come with status 200.
import type { Dialect } from '../../query/write-query.ts';
import type { ProviderContext } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';
import { record } from './answer-fields.ts';
import { expectMember, problem } from './answer-problem.ts';
import { lockedOut } from './keyless.ts';

/** MediaWiki rejects longer queries. */
export const DIALECT: Dialect = { clauses: ['word', 'phrase'], domains: 'none', maxLength: 300 };
/** MediaWiki returns at most ten thousand results. */
export const MAX_OFFSET = 9_500;

const DOWN = /^(?:internal_api_error|maxlag$|readonly$|cirrussearch-.*(?:busy|backend))/;

export async function askMediawiki(
  parameters: Record<string, string | number>,
  { url, ask, signal }: ProviderContext,
): Promise<Record<string, unknown>> {
  const answer = await ask.json(
    {
      url: `${url}/w/api.php`,
      parameters: { action: 'query', format: 'json', formatversion: 2, ...parameters },
      problemOf: lockedOut,
    },
    signal,
  );
  // Without results the answer contains only `batchcomplete`.
  const found = expectMember(answer, 'query', 'batchcomplete', 'error');
  if (found.error !== undefined) throw problem(kindOf(record(found.error).code));
  return found;
}

function kindOf(code: unknown): ProblemKind {
  if (code === 'ratelimited') return 'quota';
  return typeof code === 'string' && DOWN.test(code) ? 'down' : 'refused';
}
