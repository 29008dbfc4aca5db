// What a restricted key reaches of the work of its team: what it could have started itself, with the limits that it has now.
// Everything that reads stored work, or goes on with it, asks here.
import type { KeyLimits } from '../../contracts/policy.ts';
import { readDomainList } from '../../util/domain-patterns.ts';
import { readUrl } from '../../util/url.ts';
import { checkDomains, isKeyDomain } from './key-domains.ts';
import { checkFormats, type FormatsBody } from './key-formats.ts';
import { outOfReach } from './refusal.ts';

interface Reader {
  limits?: KeyLimits | undefined;
}

/** A job, a run, a monitor or a session. */
export interface StartedWork {
  /** The domains that it was restricted to when it was started. */
  keyDomains?: readonly string[] | undefined;
  /** What was requested, as it is stored. Null if it cannot be read: it may have been anything. */
  request: FormatsBody | null;
}

/** Throws KEY_RESTRICTED. */
export function checkReach({ limits }: Reader, { keyDomains, request }: StartedWork): void {
  if (!limits) return;
  const { domains = [], formats = [] } = limits;
  // Links and redirects lead anywhere, so the URLs of a request do not tell which pages its work has read.
  if (domains.length > 0 && !isWithin(domains, keyDomains)) throw outOfReach('domains', domains);
  if (formats.length > 0 && request === null) throw outOfReach('formats', formats);
  checkFormats(limits, request ?? {});
}

export function isInReach(reader: Reader, work: StartedWork): boolean {
  try {
    checkReach(reader, work);
    return true;
  } catch {
    return false;
  }
}

const isWithin = (domains: readonly string[], restrictedTo: readonly string[] = []): boolean => {
  const isAllowed = readDomainList(domains);
  return restrictedTo.length > 0 && restrictedTo.every((pattern) => isAllowed(pattern) !== undefined);
};

/**
 * Whoever has started the work pays for what it does next, so a key with a budget goes on only with its own. Keys are compared
 * by what work knows of its key: the prefix, or the ID. Throws KEY_RESTRICTED.
 */
export function checkContinues(
  reader: Reader & { key?: string | undefined },
  work: StartedWork & { key?: string | undefined },
): void {
  checkReach(reader, work);
  const { monthlyCredits } = reader.limits ?? {};
  if (monthlyCredits !== undefined && work.key !== reader.key)
    throw outOfReach('credits a month', [`${monthlyCredits}`]);
}

/** A single page, whose address is known, and where it led. Throws KEY_RESTRICTED. */
export function checkPage(
  { limits }: Reader,
  { urls, request }: { urls: readonly string[]; request: FormatsBody | null },
): void {
  if (!limits) return;
  checkDomains(limits, { urls });
  const { formats = [] } = limits;
  if (formats.length > 0 && request === null) throw outOfReach('formats', formats);
  checkFormats(limits, request ?? {});
}

/** Whether a list may show this to the key: targets that are no URLs, such as questions, name no domain. */
export function mayList({ limits }: Reader, target: string | null | undefined): boolean {
  const { domains = [] } = limits ?? {};
  if (domains.length === 0 || !target || !/[.:/]/.test(target)) return true;
  const url = readUrl(target);
  return typeof url === 'string' || isKeyDomain(domains, url);
}
