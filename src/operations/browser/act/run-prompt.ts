// Runs a prompt against a session within its time, and bills it. A task that fails does not make the request fail.

import type { InteractResponse } from '../../../contracts/browser/execute.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { LanguageModel, ModelSpending } from '../../../models/language-model.ts';
import type { DrivePage } from '../../../sessions/page-driver.ts';
import type { BrowserSession } from '../../../sessions/session.ts';
import { startDeadline } from '../../../util/abort.ts';
import type { Clock } from '../../../util/clock.ts';
import type { Caller } from '../../caller.ts';
import { type AccountingDeps, billUnforeseen } from '../../charged.ts';
import type { SessionBilling } from '../session-billing.ts';
import { sessionLinks } from '../sessions.ts';
import { actOnPage } from './act-on-page.ts';

export interface PromptDeps extends Omit<AccountingDeps, 'clock'> {
  drivePage: DrivePage;
  sessionBilling: SessionBilling;
  clock: Clock;
}

export interface PromptedModel {
  model: LanguageModel;
  /** What it has used. */
  spending: ModelSpending;
}

interface PromptRun extends PromptedModel {
  prompt: string;
  /** What is left of `timeout`. */
  seconds: number;
  timeout: number;
}

interface Outcome {
  output: string;
  error?: string;
  isOutOfTime: boolean;
}

export async function runPrompt(
  deps: PromptDeps,
  caller: Caller,
  session: BrowserSession,
  run: PromptRun,
): Promise<InteractResponse> {
  await deps.sessionBilling.usePrompt(session);
  const { output, error, isOutOfTime } = await carryOut(deps, caller, session, run);
  await billUnforeseen(deps, caller, { operation: 'interact', job: session.id }, run.spending.credits);
  return {
    success: error === undefined,
    sessionId: session.id,
    ...sessionLinks(session),
    ...(output !== '' && { output }),
    stdout: '',
    result: output,
    stderr: '',
    exitCode: error === undefined ? 0 : 1,
    killed: isOutOfTime,
    ...(error !== undefined && { error }),
  };
}

async function carryOut(
  { drivePage, clock }: PromptDeps,
  caller: Caller,
  session: BrowserSession,
  { model, prompt, seconds, timeout }: PromptRun,
): Promise<Outcome> {
  const end = clock.now() + seconds * 1000;
  const time = startDeadline(
    seconds * 1000,
    () => new ServiceError('MODEL_TIMEOUT'),
    AbortSignal.any([caller.signal, session.ended]),
  );
  const late = {
    output: '',
    error: `The prompt was stopped after ${timeout} seconds (\`timeout\`).`,
    isOutOfTime: true,
  };
  try {
    const driver = await drivePage(session, { signal: time.signal, deadline: end });
    try {
      const onTurn = () => session.touch();
      const acted = await actOnPage({ driver, model, instruction: prompt, onTurn, signal: time.signal });
      return { ...acted, isOutOfTime: false };
    } finally {
      driver.close();
      session.touch();
    }
  } catch (error) {
    caller.signal.throwIfAborted();
    if (session.ended.aborted) throw session.ended.reason;
    if (time.signal.aborted || (error instanceof ServiceError && error.code === 'MODEL_TIMEOUT')) return late;
    return { output: '', error: sentenceOf(error), isOutOfTime: false };
  } finally {
    time.done();
  }
}

/** Errors of the browser's client have many lines, of which callers need the first. */
const sentenceOf = (error: unknown): string =>
  error instanceof ServiceError
    ? error.message
    : `The page could not be used: ${String(error instanceof Error ? error.message : error).split('\n', 1)[0]}`;
