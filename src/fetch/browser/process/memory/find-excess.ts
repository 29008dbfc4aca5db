// Decides which browsers, or which of their pages, hold more memory than they may.
import type { BrowserMemory } from './read-memory.ts';

export interface MemoryLimits {
  /** For one page, or for one session with all of its tabs. */
  pageBytes: number;
  /** For all browsers together. */
  totalBytes: number;
}

/** `all`: nobody was over the limit of one page, but all together were over theirs, and this one held the most. */
export interface Excess {
  scope: 'page' | 'all';
  /** The process that shows the page. Without it, the whole browser has to end. */
  renderer?: number;
}

export interface MeasuredBrowser {
  memory: BrowserMemory;
  /** How many pages of different callers it shows. Undefined: everything in it belongs to one caller. */
  pages: number | undefined;
}

/** For the processes of a browser that belong to no page. */
const OWN_BYTES = 192 * 1024 * 1024;

export function findExcess<B extends MeasuredBrowser>(
  browsers: readonly B[],
  { pageBytes, totalBytes }: MemoryLimits,
): { browser: B; excess: Excess }[] {
  const found = browsers.flatMap((browser) => {
    const excess = ownExcess(browser, pageBytes);
    return excess ? [{ browser, excess }] : [];
  });
  if (found.length > 0 || sumOf(browsers) <= totalBytes) return found;
  const browser = browsers.reduce((most, other) => (shareOf(other) > shareOf(most) ? other : most));
  return [{ browser, excess: { scope: 'all', ...rendererAtFault(browser) } }];
}

function ownExcess({ memory, pages }: MeasuredBrowser, pageBytes: number): Excess | undefined {
  const { total, largestRenderer } = memory;
  if (pages !== undefined && largestRenderer && largestRenderer.bytes > pageBytes) {
    return { scope: 'page', renderer: largestRenderer.pid };
  }
  // If all pages together are over the limit of all, one of them is over its own: with frames or in the main process.
  return total > pageBytes * Math.max(1, pages ?? 1) + OWN_BYTES ? { scope: 'page' } : undefined;
}

const sumOf = (browsers: readonly MeasuredBrowser[]): number =>
  browsers.reduce((sum, { memory }) => sum + memory.total, 0);

const shareOf = ({ memory, pages }: MeasuredBrowser): number => memory.total / Math.max(1, pages ?? 1);

/** Ending the largest renderer only helps if it is what makes the browser large. */
function rendererAtFault({ memory: { total, largestRenderer }, pages }: MeasuredBrowser): Pick<Excess, 'renderer'> {
  if (pages === undefined || !largestRenderer) return {};
  return largestRenderer.bytes > total / (pages + 1) ? { renderer: largestRenderer.pid } : {};
}
