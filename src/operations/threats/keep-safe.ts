// Removes from lists what may not be fetched.
import { oncePerHost } from '../../net/checked-requests.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Caller } from '../caller.ts';
import { openThreatCheck, type ThreatCheckDeps, withCheck } from './open-threat-check.ts';

const AT_ONCE = 10;

export interface SafeItems<T> {
  kept: T[];
  /** How many were removed. */
  removed: number;
}

/** `urlsOf`: all of them must be safe. Without a threat check, everything is kept. */
export async function keepSafe<T>(
  threatCheck: ThreatCheck | undefined,
  items: readonly T[],
  urlsOf: (item: T) => readonly string[],
  signal: AbortSignal,
): Promise<SafeItems<T>> {
  if (!threatCheck) return { kept: [...items], removed: 0 };
  const verdicts = new Map<string, boolean>();
  const urls = [...new Set(items.flatMap(urlsOf))];
  for (let at = 0; at < urls.length; at += AT_ONCE) {
    const some = urls.slice(at, at + AT_ONCE);
    const safe = await Promise.all(some.map((url) => isSafe(threatCheck, url, signal)));
    for (const [index, url] of some.entries()) verdicts.set(url, safe[index]!);
  }
  const kept = items.filter((item) => urlsOf(item).every((url) => verdicts.get(url)));
  return { kept, removed: items.length - kept.length };
}

async function isSafe(threatCheck: ThreatCheck, text: string, signal: AbortSignal): Promise<boolean> {
  const url = URL.parse(text);
  return url !== null && threatCheck.isSafe(url, signal);
}

/** For lists of thousands of URLs that are mostly on one host: one URL of a host stands for all. */
export const hostsOnly = (threatCheck: ThreatCheck): ThreatCheck =>
  withCheck(threatCheck, oncePerHost(threatCheck.check));

/** For lists of a request that says nothing about URLs itself. */
export async function openHostCheck(deps: ThreatCheckDeps, caller: Caller): Promise<ThreatCheck | undefined> {
  const threatCheck = await openThreatCheck(deps, caller, {});
  return threatCheck && hostsOnly(threatCheck);
}
