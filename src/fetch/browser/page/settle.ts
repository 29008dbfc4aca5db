// When a page is there: loaded, the network quiet, its text at rest. Each has its limit, because some pages never are.
import type { Page } from 'playwright-core';
import type { Clock } from '../../../util/clock.ts';
import type { Traffic } from './traffic.ts';

export interface SettleLimits {
  signal: AbortSignal;
  /** No waiting beyond it. */
  deadline: number;
  clock: Clock;
  traffic: Traffic;
}

const MAX_MS = 8_000;
const LOAD_MS = 5_000;
const NETWORK_MS = 500;
const TEXT_MS = 300;
const ROUNDS = 5;

// The little of the DOM that the function below uses; it runs in the page.
interface PageNode {
  textContent: string | null;
}
declare const document: PageNode & { documentElement: PageNode | null };
declare class MutationObserver {
  constructor(listener: () => void);
  observe(node: PageNode, options: Record<string, boolean>): void;
  disconnect(): void;
}

/** In the page: resolves when its text has kept its length for `quietMs`. A clock that ticks does not count. */
function textAtRest([quietMs, maxMs]: [number, number]): Promise<void> {
  return new Promise((resolve) => {
    const length = () => document.documentElement?.textContent?.length ?? 0;
    const began = Date.now();
    let changedAt = began;
    let before = length();
    let isTouched = false;
    const observer = new MutationObserver(() => {
      isTouched = true;
    });
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    const look = () => {
      const now = Date.now();
      if (isTouched) {
        const after = length();
        if (after !== before) changedAt = now;
        before = after;
        isTouched = false;
      }
      if (now - changedAt < quietMs && now - began < maxMs) return void setTimeout(look, 50);
      observer.disconnect();
      resolve();
    };
    setTimeout(look, 50);
  });
}

export async function settle(page: Page, { signal, deadline, clock, traffic }: SettleLimits): Promise<void> {
  const end = Math.min(clock.now() + MAX_MS, deadline);
  const left = () => Math.max(1, end - clock.now());
  // Only a limit that is over is no reason to stop.
  const within = (work: Promise<unknown>) => Promise.race([work.catch(() => {}), clock.sleep(left(), signal)]);

  await within(page.waitForLoadState('domcontentloaded', { timeout: left() }));
  await within(page.waitForLoadState('load', { timeout: Math.min(LOAD_MS, left()) }));
  for (let round = 0; round < ROUNDS && clock.now() < end; round += 1) {
    // The text is watched during the last part of the quiet time: one wait instead of two.
    await traffic.quietFor(NETWORK_MS - TEXT_MS, end, signal);
    const began = clock.now();
    const url = page.url();
    await Promise.all([
      traffic.quietFor(NETWORK_MS, end, signal),
      // It fails when the page makes way for another: then that one is waited for.
      within(page.evaluate(textAtRest, [TEXT_MS, left()] as [number, number])),
    ]);
    if (traffic.lastAnswer < began && page.url() === url) return;
  }
}
