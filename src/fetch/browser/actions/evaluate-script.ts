// Runs a caller's script in a page, as its console would: the value is that of the last expression, `await` is allowed
// everywhere, and a promise is waited for. A `return` outside of functions ends the script with its value.
import type { CDPSession, Page } from 'playwright-core';
import { systemClock } from '../../../util/clock.ts';
import { withCdpSession } from '../cdp-session.ts';
import { MAX_VALUE_LENGTH, valueAsJson } from './script-value.ts';
import { ActionFailure, isNavigation } from './step.ts';

export interface ScriptValue {
  /** As `typeof` says, but `array` and `null` are told from `object`. */
  type: string;
  /** JSON; null where there is no such value. */
  value: unknown;
}

type Evaluation = Awaited<ReturnType<typeof evaluate>>;
type Thrown = NonNullable<Evaluation['exceptionDetails']>;

const NOTHING: ScriptValue = { type: 'undefined', value: null };
const MAX_MESSAGE = 300;

export async function evaluateScript(
  page: Page,
  script: string,
  limits: { withinMs: number; signal: AbortSignal },
): Promise<ScriptValue> {
  const timer = new AbortController();
  const tooLong = async (): Promise<never> => {
    await systemClock.sleep(limits.withinMs, AbortSignal.any([timer.signal, limits.signal]));
    throw tookTooLong(limits.withinMs);
  };
  try {
    const run = withCdpSession(page, (session) => runScript(session, script, limits.withinMs));
    // A script that is given up may still fail, with nobody left to hear of it.
    run.catch(() => {});
    return await Promise.race([run, tooLong()]);
  } catch (error) {
    // The script has led the page away, which may well be its purpose: it has no value then.
    if (isNavigation(error)) return NOTHING;
    throw error;
  } finally {
    timer.abort();
  }
}

async function runScript(session: CDPSession, script: string, withinMs: number): Promise<ScriptValue> {
  let outcome = await evaluate(session, script, withinMs);
  if (endsAtReturn(outcome.exceptionDetails)) {
    outcome = await evaluate(session, `(async () => {\n${script}\n})()`, withinMs);
  }
  if (outcome.exceptionDetails) throw scriptFailure(outcome.exceptionDetails);
  const { result } = outcome;
  if (result.objectId === undefined) return primitive(result);

  const described = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(valueAsJson),
    objectId: result.objectId,
    arguments: [{ objectId: result.objectId }, { value: MAX_VALUE_LENGTH }],
    awaitPromise: true,
    returnByValue: true,
  });
  if (described.exceptionDetails) throw scriptFailure(described.exceptionDetails);
  return parseValue(described.result.value);
}

async function evaluate(session: CDPSession, expression: string, timeout: number) {
  try {
    return await session.send('Runtime.evaluate', { expression, timeout, replMode: true, awaitPromise: true });
  } catch (error) {
    // How Chromium says that it has ended a script that ran all the time.
    if (error instanceof Error && /Internal error|terminated/.test(error.message)) throw tookTooLong(timeout);
    throw error;
  }
}

/** Only the parser's own error has no stack: nothing has run yet. */
const endsAtReturn = (thrown: Thrown | undefined): boolean =>
  thrown?.stackTrace === undefined && thrown?.exception?.description === 'SyntaxError: Illegal return statement';

function primitive({ type, subtype, value, unserializableValue }: Evaluation['result']): ScriptValue {
  if (type === 'string' && (value as string).length > MAX_VALUE_LENGTH) throw tooLarge();
  if (type === 'bigint') return { type, value: unserializableValue?.replace(/n$/, '') ?? null };
  return { type: subtype === 'null' ? 'null' : type, value: value ?? (unserializableValue === '-0' ? 0 : null) };
}

/** What the page sent is not to be trusted to be what our function made. */
function parseValue(text: unknown): ScriptValue {
  if (typeof text !== 'string') throw tooLarge();
  try {
    const { type, value = null } = JSON.parse(text);
    return { type: String(type), value };
  } catch (error) {
    throw new ActionFailure('the value of the script cannot be written as JSON.', { cause: error });
  }
}

function scriptFailure({ exception, text }: Thrown): ActionFailure {
  const thrown = exception?.description ?? String(exception?.value ?? text);
  const message = thrown.split('\n    at ', 1)[0]!.slice(0, MAX_MESSAGE);
  return new ActionFailure(`the script failed: ${message}`);
}

const tookTooLong = (ms: number): ActionFailure =>
  new ActionFailure(`the script was not done within ${Math.round(ms / 1000)} seconds.`);

const tooLarge = (): ActionFailure =>
  new ActionFailure(`the value of the script is larger than ${MAX_VALUE_LENGTH} characters of JSON. Return less.`);
