// Records what must not happen on a page of the console: errors, breaches of its own rules, requests to elsewhere, moving
// content.
import type { Page } from 'playwright-core';

export interface PageRecord {
  /** Errors of scripts, and breaches of the content security policy. Failed requests that the page handles do not count. */
  problems: string[];
  /** Origins other than the service's that the page tried to reach. */
  foreign: string[];
}

interface Watched {
  shift: number;
  breaches: string[];
}

/** The console of the browser also reports each answer with an error status, which pages show in words. */
const REPORTED_STATUS = /^Failed to load resource/;
/** What the script below is told in frames without any rights. */
const OWN_SCRIPT_REFUSED = /^Blocked script execution in 'about:srcdoc'/;

export async function recordPage(page: Page, origin: string): Promise<PageRecord> {
  const record: PageRecord = { problems: [], foreign: [] };
  const own = new URL(origin);
  page.on('pageerror', (error) => record.problems.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || REPORTED_STATUS.test(text) || OWN_SCRIPT_REFUSED.test(text)) return;
    record.problems.push(text);
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^(?:http|ws)s?:$/.test(protocol) && host !== own.host) record.foreign.push(request.url());
  });
  await page.addInitScript(() => {
    const watched: Watched = { shift: 0, breaches: [] };
    Object.assign(window, { watched });
    // What a person has asked for may arrive late on a busy machine: the half second of browsers is too short here.
    const answerMs = 10_000;
    let inputAt = -answerMs;
    for (const input of ['pointerdown', 'keydown']) {
      document.addEventListener(input, () => (inputAt = performance.now()), { capture: true });
    }
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      watched.breaches.push(`${violatedDirective} ${blockedURI}`);
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput && entry.startTime - inputAt > answerMs) watched.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return record;
}

/** How much of what was visible has moved by itself, as browsers count it: 0.1 and less is good. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.shift);

export const policyBreaches = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.breaches);
