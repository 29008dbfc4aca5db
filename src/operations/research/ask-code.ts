// Asks GitHub for issues, pull requests, READMEs and skill files, each kind by itself, so that one can fail without the others.
import type { CodeFilter, CodeItem, CodeKind } from '../../contracts/search/code-item.ts';
import { NO_CONDITIONS } from '../../contracts/search/search-query.ts';
import { SHARED } from '../../page/page-owner.ts';
import type { Federation } from '../../search/federation/federation.ts';
import type { ProviderRun } from '../../search/federation/provider-run.ts';
import type { ProviderName } from '../../search/providers/provider-names.ts';
import { parseQuery } from '../../search/query/query.ts';
import type { Clock } from '../../util/clock.ts';

export interface CodeDeps {
  providers: Federation;
  clock: Clock;
}

/** Something that fits a question, with its rank in its own list. */
interface FoundItem extends CodeItem {
  url: string;
  title: string;
  rank: number;
}

export interface FoundCode {
  kind: CodeKind;
  items: FoundItem[];
  /** Empty if the settings do not allow to ask GitHub. */
  runs: ProviderRun[];
}

export const CODE_HOSTS: readonly ProviderName[] = ['github'];

export const ALL_CODE: Omit<CodeFilter, 'kind'> = { repos: [], topics: [] };

export async function askCode(
  { providers, clock }: CodeDeps,
  { text, filter, wanted }: { text: string; filter: CodeFilter; wanted: number },
  signal: AbortSignal,
): Promise<FoundCode> {
  const query = parseQuery(text);
  const runs = await providers.ask(
    {
      query: { ...query, clauses: query.clauses.filter(({ kind }) => kind === 'word' || kind === 'phrase') },
      conditions: { ...NO_CONDITIONS, categories: ['github'], code: filter },
      source: 'web',
      now: clock.now(),
      wanted,
      rejectionOf: ({ code }) => (code ? undefined : 'not an issue or a file'),
      retainFor: SHARED,
      among: CODE_HOSTS,
    },
    signal,
  );
  const items = runs.flatMap(({ kept }) =>
    kept.flatMap(({ result: { url, title, code }, rank }) => (code ? [{ ...code, url, title, rank }] : [])),
  );
  return { kind: filter.kind, items, runs };
}
