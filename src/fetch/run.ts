// Tries the planned attempts, within one deadline, until one gets an acceptable page.
import { ServiceError } from '../contracts/errors/errors.ts';
import { isUrlRefusal } from '../contracts/threats/url-refusals.ts';
import { isBrokenOff } from '../net/wire-failure.ts';
import type { AttemptRecord, Fetched, TransformResult } from '../page/page.ts';
import type { FetchRequest } from './engine.ts';
import { type FetchTrace, noteAttempt, noteEnd, noteFailure, noteReading } from './explain/attempt-notes.ts';
import type { Attempt, Setback } from './plan.ts';
import { refusalOf } from './refusal.ts';

export interface FetchResult {
  page: Fetched;
  outcome: TransformResult;
  /** How the attempts before this one ended, in order. */
  after: Setback[];
  /** Every attempt that was made, also those after this one. */
  attempts: AttemptRecord[];
  /** Why an attempt failed. */
  failure?: ServiceError;
}

type Interpret = (page: Fetched, signal: AbortSignal) => Promise<TransformResult>;
type Got = Pick<FetchResult, 'page' | 'outcome' | 'after'>;

interface RunOptions {
  interpret: Interpret;
  now(): number;
  signal: AbortSignal;
  /** Set if the caller wants to know how the page was fetched. */
  trace?: FetchTrace | undefined;
}

export async function runAttempts(
  planned: Attempt[],
  request: Omit<FetchRequest, 'proxyClass'>,
  { interpret, now, signal, trace }: RunOptions,
): Promise<FetchResult> {
  const setbacks: Setback[] = [];
  const attempts: AttemptRecord[] = [];
  let last: Got | undefined;
  let failure: unknown;
  const result = (got: Got): FetchResult => ({
    ...got,
    attempts,
    ...(failure instanceof ServiceError && { failure }),
  });
  for (const { engine, proxyClass, helpsAfter } of planned) {
    const before = setbacks.at(-1);
    if (helpsAfter && !(before && helpsAfter.includes(before))) continue;
    const began = now();
    const notes = noteAttempt(trace, engine.name, proxyClass, began);
    const record = (setback: Setback | undefined) => {
      if (setback) setbacks.push(setback);
      const ended = { outcome: setback ?? 'ok', ms: now() - began };
      attempts.push({ engine: engine.name, proxyClass, ...ended });
      noteEnd(notes, ended);
    };
    // The pauses after "not now" are over when another identity tries its luck.
    const isBusyFinal = request.isBusyFinal || attempts.length > 0;
    try {
      const page = await engine.fetch({ ...request, isBusyFinal, proxyClass, notes }, signal);
      const outcome = await noteReading(notes, now, page, () => interpret(page, signal));
      last = { page, outcome, after: [...setbacks] };
      const setback = setbackOf(last);
      record(setback);
      if (setback === undefined) return result(last);
    } catch (error) {
      signal.throwIfAborted();
      noteFailure(notes, error);
      const setback = failureKind(error);
      record(setback ?? 'failed');
      // An earlier attempt saw only what a page shows before it redirects.
      if (isUrlRefusal(error)) throw error;
      // A page that an earlier attempt got is better than an error.
      if (!last && setback === undefined) throw error;
      if (failure === undefined || setback !== 'unavailable') failure = error;
    }
  }
  if (last) return result(last);
  throw failure;
}

function setbackOf({ page, outcome: { verdict } }: Got): Setback | undefined {
  if (verdict.kind === 'challenge') return 'challenge';
  // An empty page from a browser is final: there is no better way to get it.
  if ((verdict.kind === 'empty-shell' || verdict.isThin) && page.engine !== 'browser') return 'shell';
  return refusalOf(page);
}

/** Undefined if no other way would end differently. */
function failureKind(error: unknown): Setback | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  if (error.code === 'SCRAPE_ALL_ENGINES_FAILED') return 'unavailable';
  if (error.code === 'SCRAPE_PROXY_SELECTION_ERROR') return 'failed';
  if (error.code !== 'SCRAPE_SITE_ERROR') return undefined;
  return isBrokenOff(error) ? 'dropped' : 'failed';
}
