// What of its caller's rights is stored with work that goes on by itself: the key may be gone when the work is done.
import type { AskedFormats } from '../../policy/keys/key-formats.ts';
import type { StartedWork } from '../../policy/keys/key-reach.ts';
import type { Caller } from '../caller.ts';
import type { CheckedCaller } from './open-threat-check.ts';

/** Part of the stored request. */
export interface StoredLimits {
  /** Domains that the key was restricted to. */
  keyDomains?: string[];
}

export function storedLimits({ limits }: Pick<Caller, 'limits'>): StoredLimits {
  const domains = limits?.domains ?? [];
  return domains.length > 0 ? { keyDomains: domains } : {};
}

/** As part of the caller for whom the work is done. */
export const restoredLimits = ({ keyDomains }: StoredLimits): Pick<Caller, 'limits' | 'isBackground'> => ({
  isBackground: true,
  ...(keyDomains && { limits: { domains: keyDomains } }),
});

export const callerOfJob = ({ teamId, options }: { teamId: string; options: unknown }): CheckedCaller => ({
  team: { id: teamId },
  ...restoredLimits(options as StoredLimits),
});

/** Work that was started with this request, for keys that may not see all of it. */
export const startedWith = (stored: unknown): StartedWork => {
  const request = (stored ?? null) as (StoredLimits & AskedFormats) | null;
  return { keyDomains: request?.keyDomains, request };
};
