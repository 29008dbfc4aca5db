// A key as its form edits it, and the request that comes of it.
import type { SentBody } from '../../../../src/contracts/route-types.ts';
import { entriesOf, textOf } from '../form/entries.ts';
import type { Key, KeyLimits } from './key-words.ts';

export interface KeyDraft {
  label: string;
  operations: NonNullable<KeyLimits['operations']>;
  formats: string[];
  domains: string;
  networks: string;
  requestsPerMinute: number | undefined;
  monthlyCredits: number | undefined;
  /** `keep` is only for keys that exist. */
  expiry: 'keep' | 'never' | 'days';
  days: number | undefined;
}

export const emptyDraft = (): KeyDraft => ({
  label: '',
  operations: [],
  formats: [],
  domains: '',
  networks: '',
  requestsPerMinute: undefined,
  monthlyCredits: undefined,
  expiry: 'never',
  days: 90,
});

export const draftOf = ({ label, limits }: Pick<Key, 'label' | 'limits'>): KeyDraft => ({
  ...emptyDraft(),
  label: label ?? '',
  operations: limits.operations ?? [],
  formats: limits.formats ?? [],
  domains: textOf(limits.domains),
  networks: textOf(limits.networks),
  requestsPerMinute: limits.requestsPerMinute,
  monthlyCredits: limits.monthlyCredits,
  expiry: 'keep',
});

export function limitsOf(draft: KeyDraft): NonNullable<SentBody<'createKey'>['limits']> {
  const { operations, formats, requestsPerMinute, monthlyCredits } = draft;
  const [domains, networks] = [entriesOf(draft.domains), entriesOf(draft.networks)];
  return {
    ...(operations.length > 0 && { operations }),
    ...(formats.length > 0 && { formats: formats as never }),
    ...(domains.length > 0 && { domains }),
    ...(networks.length > 0 && { networks }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(monthlyCredits !== undefined && { monthlyCredits }),
  };
}

export function createBody(draft: KeyDraft): SentBody<'createKey'> {
  const label = draft.label.trim();
  const limits = limitsOf(draft);
  return {
    ...(label !== '' && { label }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(draft.expiry === 'days' && { expiresInDays: draft.days }),
  };
}

export function changeBody(draft: KeyDraft): SentBody<'changeKey'> {
  const label = draft.label.trim();
  return {
    label: label === '' ? null : label,
    limits: limitsOf(draft),
    ...(draft.expiry === 'days' && { expiresInDays: draft.days }),
    ...(draft.expiry === 'never' && { expiresAt: null }),
  };
}

/** What is wrong before anything is sent. */
export function draftErrors({ expiry, days }: KeyDraft): Record<string, string> {
  if (expiry === 'days' && (days === undefined || !(days > 0)))
    return { expiresInDays: 'Say after how many days the key stops working.' };
  return {};
}
