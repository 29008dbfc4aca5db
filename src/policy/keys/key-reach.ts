// What a restricted key reaches of the work of its team: what it could have started itself, with the limits that it has now.
// Everything that reads stored work, or goes on with it, asks here.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { KeyLimits } from '../../contracts/team/policy.ts';
import { readDomainList } from '../../urls/domain-patterns.ts';
import { readUrl } from '../../urls/url.ts';
import { checkDomains, isKeyDomain } from './key-domains.ts';
import { type AskedFormats, checkFormats } from './key-formats.ts';
import { outOfReach, paidByAnother } from './refusal.ts';

interface Reader {
  limits?: KeyLimits | undefined;
}

/** A job, a run, a monitor or a session. */
export interface StartedWork {
  /** The domains that it was restricted to when it was started. */
  keyDomains?: readonly string[] | undefined;
  /** What was requested, as it is stored. Null if it cannot be read: it may have been anything. */
  request: AskedFormats | null;
}

/** Throws KEY_RESTRICTED. */
export function checkReach({ limits }: Reader, { keyDomains, request }: StartedWork): void {
  if (!limits) return;
  const { domains = [] } = limits;
  // Links and redirects lead anywhere, so the URLs of a request do not tell which pages its work has read.
  if (domains.length > 0 && !isWithin(domains, keyDomains)) throw outOfReach('domains', domains);
  checkStoredFormats(limits, request);
}

/** For lists, which leave out what a call by ID would refuse. */
export const isInReach = (reader: Reader, work: StartedWork): boolean => isAllowed(() => checkReach(reader, work));

export function isAllowed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'KEY_RESTRICTED') return false;
    throw error;
  }
}

function checkStoredFormats(limits: KeyLimits, request: StartedWork['request']): void {
  const { formats = [] } = limits;
  if (formats.length > 0 && request === null) throw outOfReach('formats', formats);
  checkFormats(limits, request ?? {});
}

const isWithin = (domains: readonly string[], restrictedTo: readonly string[] = []): boolean => {
  const entryFor = readDomainList(domains);
  return restrictedTo.length > 0 && restrictedTo.every((pattern) => entryFor(pattern) !== undefined);
};

/**
 * What work does next is paid for by the key that started it, so a key with a budget continues only its own work. `key` is
 * whatever the work has stored of its key: the prefix, or the ID. Throws KEY_RESTRICTED.
 */
export function checkContinues(
  reader: Reader & { key?: string | undefined },
  work: StartedWork & { key?: string | undefined },
): void {
  checkReach(reader, work);
  const { monthlyCredits } = reader.limits ?? {};
  if (monthlyCredits !== undefined && work.key !== reader.key) throw paidByAnother(monthlyCredits);
}

/** A single page, whose address is known, and where it led. Throws KEY_RESTRICTED. */
export function checkPage(
  { limits }: Reader,
  { urls, request }: { urls: readonly string[]; request: AskedFormats | null },
): void {
  if (!limits) return;
  checkDomains(limits, { urls });
  checkStoredFormats(limits, request);
}

/** Whether a list may show this to the key: targets that are no URLs, such as questions, name no domain. */
export function mayList({ limits }: Reader, target: string | null | undefined): boolean {
  const { domains = [] } = limits ?? {};
  if (domains.length === 0 || !target || !/[.:/]/.test(target)) return true;
  const url = readUrl(target);
  return typeof url === 'string' || isKeyDomain(domains, url);
}
