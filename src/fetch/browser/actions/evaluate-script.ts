// Runs a caller's script in a page, like the browser's console: the result is the value of the last expression, `await`
// is allowed everywhere, and promises are awaited. A top-level `return` ends the script with its value.
import type { CDPSession, Page } from 'playwright-core';
import { raceTimeout } from '../../../util/abort.ts';
import { withCdpSession } from '../cdp-session.ts';
import { MAX_VALUE_LENGTH, valueAsJson } from './script-value.ts';
import { ActionFailure, isNavigation } from './step.ts';

export interface ScriptValue {
  /** As in `typeof`, but with `array` and `null` apart from `object`. */
  type: string;
  /** JSON; null if the value has no JSON form. */
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
  const { withinMs, signal } = limits;
  const onLate = () => {
    throw tookTooLong(withinMs);
  };
  try {
    const run = withCdpSession(page, (session) => runScript(session, script, withinMs));
    return await raceTimeout(run, withinMs, onLate, { signal });
  } catch (error) {
    // The script made the page navigate, perhaps on purpose: then it has no value.
    if (isNavigation(error)) return NOTHING;
    throw error;
  }
}

async function runScript(session: CDPSession, script: string, withinMs: number): Promise<ScriptValue> {
  let outcome = await evaluate(session, script, withinMs);
  if (hasTopLevelReturn(outcome.exceptionDetails)) {
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
    // Chromium's message when it terminates a script that never yields.
    if (error instanceof Error && /Internal error|terminated/.test(error.message)) throw tookTooLong(timeout);
    throw error;
  }
}

/** An error of the parser has no stack, so none of the script has run yet. */
const hasTopLevelReturn = (thrown: Thrown | undefined): boolean =>
  thrown?.stackTrace === undefined && thrown?.exception?.description === 'SyntaxError: Illegal return statement';

function primitive({ type, subtype, value, unserializableValue }: Evaluation['result']): ScriptValue {
  if (type === 'string' && (value as string).length > MAX_VALUE_LENGTH) throw tooLarge();
  if (type === 'bigint') return { type, value: unserializableValue?.replace(/n$/, '') ?? null };
  return { type: subtype === 'null' ? 'null' : type, value: value ?? (unserializableValue === '-0' ? 0 : null) };
}

/** The page may have tampered with our function, so its result is parsed as untrusted input. */
function parseValue(text: unknown): ScriptValue {
  if (typeof text !== 'string') throw tooLarge();
  try {
    const { type, value = null } = JSON.parse(text);
    return { type: String(type), value };
  } catch (error) {
    throw new ActionFailure('the result of the script cannot be written as JSON.', { cause: error });
  }
}

function scriptFailure({ exception, text }: Thrown): ActionFailure {
  const thrown = exception?.description ?? String(exception?.value ?? text);
  const message = thrown.split('\n    at ', 1)[0]!.slice(0, MAX_MESSAGE);
  return new ActionFailure(`the script failed: ${message}`);
}

const tookTooLong = (ms: number): ActionFailure =>
  new ActionFailure(`the script did not finish within ${Math.round(ms / 1000)} seconds.`);

const tooLarge = (): ActionFailure =>
  new ActionFailure(`the result of the script is larger than ${MAX_VALUE_LENGTH} characters of JSON. Return less.`);
