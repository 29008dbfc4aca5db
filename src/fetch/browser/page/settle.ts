// Waits until a page has settled: loaded, network quiet, text stable. Each has a time limit: some pages never do.
import type { Page } from 'playwright-core';
import { raceTimeout } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import type { Traffic } from './traffic.ts';

export interface SettleLimits {
  signal: AbortSignal;
  /** Waiting ends here at the latest. */
  deadline: number;
  clock: Clock;
  traffic: Traffic;
}

const MAX_MS = 8_000;
const LOAD_MS = 5_000;
const NETWORK_MS = 500;
const TEXT_MS = 300;
const ROUNDS = 5;

// The part of the DOM that the function below uses; it runs in the page.
interface PageNode {
  textContent: string | null;
}
declare const document: PageNode & { documentElement: PageNode | null };
declare class MutationObserver {
  constructor(listener: () => void);
  observe(node: PageNode, options: Record<string, boolean>): void;
  disconnect(): void;
}

/** Runs in the page. Resolves when the length of its text was stable for `quietMs`: a ticking clock is no change. */
function textStable([quietMs, maxMs]: [number, number]): Promise<void> {
  return new Promise((resolve) => {
    const length = () => document.documentElement?.textContent?.length ?? 0;
    const began = performance.now();
    let changedAt = began;
    let before = length();
    let hasMutated = false;
    const observer = new MutationObserver(() => {
      hasMutated = true;
    });
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    const check = () => {
      const now = performance.now();
      if (hasMutated) {
        const after = length();
        if (after !== before) changedAt = now;
        before = after;
        hasMutated = false;
      }
      if (now - changedAt < quietMs && now - began < maxMs) return void setTimeout(check, 50);
      observer.disconnect();
      resolve();
    };
    setTimeout(check, 50);
  });
}

export async function settle(page: Page, { signal, deadline, clock, traffic }: SettleLimits): Promise<void> {
  const end = Math.min(clock.now() + MAX_MS, deadline);
  const left = () => Math.max(1, end - clock.now());
  // Errors and timeouts of a step only end that step; an abort of the signal ends everything.
  const within = (work: Promise<unknown>) =>
    raceTimeout(
      work.catch(() => {}),
      left(),
      () => {},
      { clock, signal },
    );

  await within(page.waitForLoadState('domcontentloaded', { timeout: left() }));
  await within(page.waitForLoadState('load', { timeout: Math.min(LOAD_MS, left()) }));
  for (let round = 0; round < ROUNDS && clock.now() < end; round += 1) {
    // The text is watched during the last part of the network's quiet time: one wait instead of two.
    await traffic.quietFor(NETWORK_MS - TEXT_MS, end, signal);
    const began = clock.now();
    const url = page.url();
    await Promise.all([
      traffic.quietFor(NETWORK_MS, end, signal),
      // Fails if the page navigates: then the next round waits for the new document.
      within(page.evaluate(textStable, [TEXT_MS, left()] as [number, number])),
    ]);
    if (traffic.lastEssentialAt < began && page.url() === url) return;
  }
}
