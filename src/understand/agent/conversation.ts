// The turns of an agent and the results of its tools, as far as the model has room for them. What is long and old goes first;
// the beginning stays the same as long as possible, because servers cache it.
import type { ModelMessage, ModelToolCall, ModelTurn } from '../../models/language-model.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

export interface ToolResult {
  call: ModelToolCall;
  text: string;
  /** What stays when there is no more room for the text. */
  short: string;
}

/** One turn and what came of it. */
export interface Exchange {
  /** Absent if the model gave no usable answer. */
  turn?: ModelTurn;
  /** The model wrote its calls as text, so its server does not take the results for results of calls. */
  isProse?: boolean;
  results: ToolResult[];
  /** What this program says about the turn. */
  note?: string;
}

export interface Conversation {
  add(exchange: Exchange): void;
  messages(): ModelMessage[];
  /** Whether the model still sees the results of an exchange, by its number from 0. */
  shows(exchange: number): boolean;
  /** Less room than expected: the server says that it is too much. */
  shrink(): void;
}

interface Options {
  /** Material of the first message. */
  task: Readonly<Record<string, string>>;
  maxTokens: number;
  /** What has been done so far, for a model that no longer sees its first turns. */
  progress(): string;
}

/** After something had to go, there is room for a few turns before something has to go again. */
const AFTER_CUT = 0.6;
const MIN_TOKENS = 1_000;

export function createConversation({ task, maxTokens, progress }: Options): Conversation {
  const exchanges: Exchange[] = [];
  let room = maxTokens;
  /** Exchanges before it are left out; those before `shortened` have short results. */
  let dropped = 0;
  let shortened = 0;

  const first = (): ModelMessage => ({
    from: 'user',
    material: dropped === 0 ? task : { ...task, progress: progress() },
  });
  const messages = (): ModelMessage[] => [
    first(),
    ...exchanges.slice(dropped).flatMap((each, at) => toMessages(each, at + dropped < shortened)),
  ];
  const size = (): number => estimateTokens(JSON.stringify(messages()));
  const isWithin = (limit: number): boolean => size() <= limit;
  const fit = (): void => {
    if (isWithin(room)) return;
    // The last results are what the model waits for.
    while (shortened < exchanges.length - 1 && !isWithin(room * AFTER_CUT)) shortened += 1;
    while (dropped < exchanges.length - 1 && !isWithin(room)) dropped += 1;
    if (!isWithin(room)) shortened = exchanges.length;
  };

  return {
    add(exchange) {
      exchanges.push(exchange);
      fit();
    },
    messages,
    shows: (at) => at >= shortened && at >= dropped,
    shrink() {
      room = Math.max(MIN_TOKENS, Math.min(room, size()) * AFTER_CUT);
      fit();
    },
  };
}

function toMessages({ turn, isProse, results, note }: Exchange, isShort: boolean): ModelMessage[] {
  const said: ModelMessage[] = turn ? [{ from: 'model', turn }] : [];
  const texts = results.map(({ call, text, short }) => ({ call, result: isShort ? short : text }));
  const answers: ModelMessage[] = isProse
    ? texts.map(({ result }) => ({ from: 'user', material: { result } }))
    : texts.map(({ call, result }) => ({ from: 'tool', call, result }));
  return [...said, ...answers, ...(note === undefined ? [] : [{ from: 'user' as const, material: { note } }])];
}
