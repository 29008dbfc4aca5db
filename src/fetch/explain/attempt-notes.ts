// What is noted while a page is fetched, for callers who ask why they got this answer. Nobody else has a trace, so
// nothing is noted for them.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { BrowserStep, ExplainedAttempt } from '../../contracts/scrape/explanation.ts';
import type { EngineName, Fetched, ProxyClass, TransformResult } from '../../page/page.ts';

export interface FetchTrace {
  /** The last one may still run. */
  attempts: AttemptNotes[];
}

/** One attempt. The engine adds the responses and what its browser does, run.ts the rest. */
export interface AttemptNotes extends Omit<ExplainedAttempt, 'engine' | 'proxy' | 'outcome' | 'ms'> {
  engine: EngineName;
  proxyClass: ProxyClass;
  began: number;
  /** Absent while the attempt runs. */
  ended?: { outcome: string; ms: number };
}

const MAX_RESPONSES = 50;
const MAX_STEPS = 100;
const MAX_URL = 2_000;
const MAX_TYPE = 200;

type MaybeNotes = AttemptNotes | undefined;

export function noteAttempt(
  trace: FetchTrace | undefined,
  engine: EngineName,
  proxyClass: ProxyClass,
  began: number,
): MaybeNotes {
  if (!trace) return undefined;
  const notes: AttemptNotes = { engine, proxyClass, began, responses: [] };
  trace.attempts.push(notes);
  return notes;
}

export function noteEnd(notes: MaybeNotes, ended: NonNullable<AttemptNotes['ended']>): void {
  if (notes) notes.ended = ended;
}

export function noteFailure(notes: MaybeNotes, error: unknown): void {
  if (notes && error instanceof ServiceError) notes.error = { code: error.code, message: error.message };
}

/** Interprets a page that was fetched, and notes what it was taken for. */
export async function noteReading(
  notes: MaybeNotes,
  now: () => number,
  { contentType, bytes }: Fetched,
  interpret: () => Promise<TransformResult>,
): Promise<TransformResult> {
  if (!notes) return interpret();
  const began = now();
  notes.bytes = bytes.byteLength;
  if (contentType) notes.contentType = contentType.slice(0, MAX_TYPE);
  const outcome = await interpret();
  const { kind, reason } = outcome.verdict;
  notes.transformMs = Math.round(now() - began);
  notes.verdict = { kind, reason };
  return outcome;
}

export function noteResponse(notes: MaybeNotes, url: string, status: number): void {
  if (notes && notes.responses.length < MAX_RESPONSES) notes.responses.push({ url: shownUrl(url), status });
}

/** A site may redirect a browser to a URL with a password in it. */
function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) return text.slice(0, MAX_URL);
  url.username = '';
  url.password = '';
  return url.href.slice(0, MAX_URL);
}

export const browserWork = (notes: AttemptNotes): NonNullable<AttemptNotes['browser']> => {
  notes.browser ??= { requests: 0, blocked: 0, steps: [] };
  return notes.browser;
};

/** Runs one step of a browser and notes how long it took, also if it failed. */
export async function noteStep<T>(
  notes: MaybeNotes,
  now: () => number,
  step: BrowserStep,
  work: () => Promise<T>,
): Promise<T> {
  if (!notes) return work();
  const began = now();
  try {
    return await work();
  } finally {
    addStep(notes, step, now() - began);
  }
}

export function addStep(notes: MaybeNotes, step: BrowserStep, ms: number): void {
  if (!notes) return;
  const { steps } = browserWork(notes);
  if (steps.length < MAX_STEPS) steps.push({ step, ms: Math.round(ms) });
}
