// Whether what was read is a version of the page, or says that the page is gone, or neither.
import type { ReadPage } from '../reading.ts';

const GONE = new Set([404, 410]);

/** `problem`: why the page is not compared, as a sentence for the caller. */
export function pageState({ header, outcome, source }: ReadPage): { isGone: boolean } | { problem: string } {
  const { verdict, document } = outcome;
  if (GONE.has(header.status) || verdict.kind === 'soft-404') return { isGone: true };
  if (header.status >= 400) return notCompared(`the site answered with the status ${header.status}`);
  if (verdict.kind !== 'content') return notCompared(`what the site sent is not the page (${verdict.kind})`);
  if (document?.isPartial) return notCompared('the file could only be read in part');
  if (!source || source.markdown.trim() === '') return notCompared('the page has no text');
  return { isGone: false };
}

const notCompared = (reason: string) => ({
  problem: `\`changeTracking\` is missing, because ${reason}. The page was not compared, and the next look is compared with the last one before.`,
});
