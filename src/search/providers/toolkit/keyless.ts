// What providers without keys share: whether they can have results, and how to read a lockout.
import { isWithin } from '../../../urls/categories.ts';
import type { ProviderQuery } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';

/** Without a key, 401 and 403 mean too many requests or a blocked address: wait before the next one. */
export const lockedOut = (status: number): ProblemKind | undefined =>
  status === 401 || status === 403 ? 'quota' : undefined;

/** False when no page of these hosts can match the query. `hasFiles`: the hosts serve files, so `filetype:` can match. */
export function canBeOnHosts(
  hosts: readonly string[],
  { query, conditions }: ProviderQuery,
  { hasFiles = false } = {},
): boolean {
  const overlaps = (wanted: string) => hosts.some((host) => isWithin(host, wanted) || isWithin(wanted, host));
  const coversAll = (unwanted: string) => hosts.every((host) => isWithin(host, unwanted));

  const wantedSites: string[] = [];
  for (const clause of query.clauses) {
    if (clause.kind === 'site') {
      if (!clause.negated) wantedSites.push(clause.host);
      else if (clause.path === '' && coversAll(clause.host)) return false;
    } else if (!clause.negated && (clause.kind === 'related' || (clause.kind === 'filetype' && !hasFiles)))
      return false;
  }
  return (
    (wantedSites.length === 0 || wantedSites.some(overlaps)) &&
    (conditions.includeDomains.length === 0 || conditions.includeDomains.some(overlaps)) &&
    !conditions.excludeDomains.some(coversAll)
  );
}
