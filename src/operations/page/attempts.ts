// What the caller learns about the attempts to fetch a page.
import type { AttemptRecord, ProxyClass } from '../../page/page.ts';

export const proxyName = (proxyClass: ProxyClass): 'basic' | 'stealth' =>
  proxyClass === 'enhanced' ? 'stealth' : 'basic';

/** The field of the metadata. Left out for the ordinary page, which takes one basic attempt. */
export function listedAttempts(attempts: readonly AttemptRecord[]) {
  if (attempts.length < 2 && attempts[0]?.proxyClass !== 'enhanced') return {};
  return {
    attempts: attempts.map(({ engine, proxyClass, outcome, ms }) => ({
      engine,
      proxy: proxyName(proxyClass),
      outcome,
      ms: Math.round(ms),
    })),
  };
}

/** A warning if not even an enhanced attempt got the page. */
export function refusedNotes(attempts: readonly AttemptRecord[]): string[] {
  const isRefused = attempts.length > 0 && attempts.every(({ outcome }) => outcome !== 'ok' && outcome !== 'shell');
  const isEnhanced = attempts.some(({ proxyClass }) => proxyClass === 'enhanced');
  return isRefused && isEnhanced ? [`The site refused the page to every attempt. ${attemptsNote(attempts)}`] : [];
}

/** Empty for a single attempt. */
export function attemptsNote(attempts: readonly AttemptRecord[]): string {
  if (attempts.length < 2) return '';
  return `Tried: ${attempts.map(({ engine, proxyClass, outcome }) => `${engine}, ${proxyName(proxyClass)} (${outcome})`).join('; ')}.`;
}
