// Puts together why a page was answered as it was, from what was noted on the way.
import { type ErrorOptions, ServiceError } from '../../../contracts/errors/errors.ts';
import type { Explanation } from '../../../contracts/scrape/explanation.ts';
import { isUrlRefusal } from '../../../contracts/threats/url-refusals.ts';
import type { AttemptNotes } from '../../../fetch/explain/attempt-notes.ts';
import type { Cost } from '../../team/credits.ts';
import { proxyName } from '../attempts.ts';
import type { Page } from '../page.ts';
import { mayStore, type PageOptions } from '../page-request.ts';
import type { PageTrace } from './page-trace.ts';

interface Ended {
  now: number;
  /** Whether rules about URLs applied. */
  isJudged: boolean;
  cost: Cost;
}

type ContentChoice = NonNullable<Explanation['content']>;

export function explainPage(
  trace: PageTrace,
  ended: Ended,
  options: PageOptions,
  { header, outcome, toStore, derived, template }: Page,
): Explanation {
  const { kind, reason } = outcome.verdict;
  const isStored = mayStore(options) && (trace.cache?.state === 'hit' || 'page' in toStore || 'checked' in toStore);
  return {
    ...common(trace, ended, isStored),
    verdict: { kind, reason },
    content: contentChoice(options, header.contentType, outcome, template),
    ...(derived?.windowsRead && { reader: { windows: derived.windowsRead } }),
    threatProtection: ended.isJudged ? 'passed' : 'off',
  };
}

/** The same error, whose details say how far the request came. */
export function explainFailure(trace: PageTrace, ended: Ended, error: unknown): unknown {
  if (!(error instanceof ServiceError) || Array.isArray(error.details)) return error;
  const explanation: Explanation = {
    ...common(trace, ended, false),
    threatProtection: isUrlRefusal(error) ? 'refused' : ended.isJudged ? 'passed' : 'off',
  };
  const { message, fields, retryAfter, headers } = error;
  const options: ErrorOptions = { message, cause: error, details: { ...error.details, explanation } };
  return new ServiceError(error.code, {
    ...options,
    ...(fields && { fields }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(headers && { headers }),
  });
}

function common(trace: PageTrace, { now, cost }: Ended, isStored: boolean) {
  const { plan, cache } = trace;
  return {
    totalMs: now - trace.began,
    stages: [...trace.stages],
    ...(cache && { cache: { ...cache, isStored } }),
    ...(plan && {
      plan: {
        reason: plan.reason,
        attempts: plan.attempts.map(({ engine, proxyClass, helpsAfter }) => ({
          engine: engine.name,
          proxy: proxyName(proxyClass),
          ...(helpsAfter && { after: [...helpsAfter] }),
        })),
      },
    }),
    attempts: trace.attempts.map((notes) => attemptOf(notes, now)),
    cost: { credits: cost.credits, items: cost.charges.filter(({ credits }) => credits > 0) },
  };
}

function attemptOf({ proxyClass, began, ended, engine, ...notes }: AttemptNotes, now: number) {
  const { outcome, ms } = ended ?? { outcome: 'unfinished', ms: now - began };
  return { engine, proxy: proxyName(proxyClass), outcome, ms: Math.round(ms), ...notes };
}

function contentChoice(
  options: PageOptions,
  contentType: string,
  { document, quality, siblings }: Page['outcome'],
  template: string[] | undefined,
): ContentChoice {
  if (document) return { selection: 'document', reason: `The file was read by the parser for ${document.kind}.` };
  if (quality !== undefined) {
    const reason =
      quality === 0
        ? 'No main content was found, so everything outside of navigation, headers and footers was kept.'
        : 'A trained model chose the blocks of the main content.';
    const site = { ...(siblings !== undefined && { siblings }), ...(template && { template }) };
    return { selection: 'main-content', reason, quality, ...site };
  }
  if (options.includeTags.length > 0) return { selection: 'selectors', reason: '`includeTags` chose the elements.' };
  if (!/html|^$/.test(contentType)) return { selection: 'whole-file', reason: 'The page is a text file.' };
  const reason = options.onlyMainContent
    ? 'No requested format depends on the main content.'
    : '`onlyMainContent` is false.';
  return { selection: 'whole-page', reason };
}
