// What the providers that need no key share: whether a question is worth it, and what it means to be turned away.
import { isWithin } from '../../../util/categories.ts';
import type { ProviderQuery } from '../provider.ts';
import type { ProblemKind } from '../provider-problem.ts';

/** Whoever has no key and is locked out has asked too often, or from the wrong address: it must wait. */
export const lockedOut = (status: number): ProblemKind | undefined =>
  status === 401 || status === 403 ? 'quota' : undefined;

/** False when no page of these hosts can fit; addresses with a file ending are found among them only if it is said so. */
export function canBeOnHosts(
  hosts: readonly string[],
  { query, conditions }: ProviderQuery,
  { hasFiles = false } = {},
): boolean {
  const meets = (wanted: string) => hosts.some((host) => isWithin(host, wanted) || isWithin(wanted, host));
  const holdsAll = (unwanted: string) => hosts.every((host) => isWithin(host, unwanted));

  const wantedSites: string[] = [];
  for (const clause of query.clauses) {
    if (clause.kind === 'site') {
      if (!clause.negated) wantedSites.push(clause.host);
      else if (clause.path === '' && holdsAll(clause.host)) return false;
    } else if (!clause.negated && (clause.kind === 'related' || (clause.kind === 'filetype' && !hasFiles)))
      return false;
  }
  return (
    (wantedSites.length === 0 || wantedSites.some(meets)) &&
    (conditions.includeDomains.length === 0 || conditions.includeDomains.some(meets)) &&
    !conditions.excludeDomains.some(holdsAll)
  );
}
