// Rules for a model server, by the name of what they show.
import type { ModelReply, ReceivedCall, ReplyRule } from './model-server.ts';

/** The same answer to everything. */
export const says =
  (text: unknown): ReplyRule =>
  () => ({ text });

/** Fails the first calls in this way, then answers by the rule. */
export const after =
  (count: number, failure: ModelReply, then: ReplyRule): ReplyRule =>
  (call, number) =>
    number <= count ? failure : then(call, number);

export const TOO_MANY: ModelReply = { status: 429, headers: { 'retry-after': '1' }, error: 'Rate limit reached' };
export const BROKEN: ModelReply = { status: 500, error: 'Internal error' };
export const WRONG_KEY: ModelReply = { status: 401, error: 'Incorrect API key provided: model-key-for-tests' };
export const UNKNOWN_MODEL: ModelReply = { status: 404, error: 'model "test-model" not found, try pulling it first' };
export const CUT: ModelReply = { text: '{"title": "Half of', finish: 'length' };
export const REFUSAL: ModelReply = { text: "I'm sorry, but I can't help with that.", finish: 'refusal' };
export const UNCOUNTED = (text: unknown): ModelReply => ({ text, usage: null });

/** A server that does not know some kinds of structured output, as many do not. */
export const refusesFormats =
  (formats: readonly ReceivedCall['format'][], then: ReplyRule): ReplyRule =>
  (call, number) =>
    formats.includes(call.format)
      ? { status: 400, error: `'response_format' of type ${call.format} is not supported` }
      : then(call, number);

const INJECTED =
  /(?:ignore|disregard|forget)[^.\n]{0,80}[.:,]?\s*(?:instead,?\s*)?(?:just\s+)?(?:say|answer|output|reply|write|respond)(?:\s+with)?\s+["'`“]?(\{[^\n]*\}|[^"'`”\n]+)/i;

/** A weak model: it does what an instruction in its material says, else it answers by the rule. */
export const obeysMaterial =
  (then: ReplyRule): ReplyRule =>
  (call, number) => {
    const injected = INJECTED.exec(Object.values(call.material).join('\n'));
    return injected ? { text: injected[1] } : then(call, number);
  };
