// The loop of an agent: the model takes a turn, its tools run, and it is shown what came of it, until it finishes or
// something is used up.
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { ModelTool, ModelTurn } from '../../models/language-model.ts';
import { type FinishInput, type OfferedTools, readCall, toolsFor } from '../../understand/agent/agent-tools.ts';
import type { Conversation, Exchange } from '../../understand/agent/conversation.ts';
import { proseCalls, proseData } from '../../understand/agent/prose-calls.ts';
import { NOTES } from '../../understand/prompts/tasks/agent.ts';
import { hashOf } from '../../util/hash.ts';
import { LIMIT_CODES } from '../gather/web-tools.ts';
import { type AgentLimits, capReached, isNearEnd, type Spent, type StopReason } from './agent-limits.ts';
import type { TurnOutput, TurnRequest } from './take-turn.ts';
import type { Toolbox, ToolOutcome } from './toolbox.ts';

export interface Researcher {
  tools: RunTools;
  toolbox: Toolbox;
  conversation: Conversation;
  limits: AgentLimits;
  instructions: string;
  conversationId: string;
  offers: OfferedTools;
  isChat: boolean;
  takeTurn(request: TurnRequest): Promise<TurnOutput>;
  /** Looks at a finished result once: a note for the model if it should correct something. */
  review(finish: FinishInput): Promise<string | undefined>;
}

export type ResearchEnd =
  | { finish: FinishInput; model: string }
  | { stopped: StopReason; message?: string; model?: string }
  /** The model could not be asked from the start. */
  | { without: string };

const MAX_CALLS = 5;
/** Turns in a row that bring nothing, before the run ends. */
const MAX_IDLE_TURNS = 3;

/** A turn and what came of it. `isIdle`: nothing new. */
interface Progress {
  exchange: Exchange;
  isIdle: boolean;
  finish?: FinishInput;
  /** A limit that a tool ran into. */
  limit?: StopReason;
}

/** What is known between two turns. */
interface Course {
  turns: number;
  /** Turns in a row that brought nothing new. */
  idle: number;
  /** Calls that were made, with the exchange that shows their results. */
  made: Map<string, number>;
  /** A result that the model was asked to correct. */
  finished?: FinishInput;
  model?: string;
  /** The limit that a tool has run into last. */
  limit?: StopReason;
}

export async function research(researcher: Researcher): Promise<ResearchEnd> {
  const { tools, toolbox, conversation, limits, instructions, conversationId } = researcher;
  const course: Course = { turns: 0, idle: 0, made: new Map() };
  for (;;) {
    const spent: Spent = {
      ...tools.spent(),
      turns: course.turns + toolbox.pageTurns,
      ms: tools.elapsedMs(),
    };
    const cap =
      capReached(spent, limits) ?? (course.idle >= MAX_IDLE_TURNS ? (course.limit ?? 'no_progress') : undefined);
    if (cap) return stopAt(course, cap);
    course.turns += 1;
    const isEnding = isNearEnd(spent, limits) || course.idle === MAX_IDLE_TURNS - 1;
    const offered = toolsFor({ ...researcher.offers, isEnding });
    const output = await researcher.takeTurn({
      number: course.turns,
      conversation: conversationId,
      instructions,
      messages: conversation.messages(),
      offered,
    });
    const end =
      'failed' in output
        ? afterFailure(researcher, course, output)
        : await afterTurn(researcher, course, { ...output, offered, isEnding });
    if (end) return end;
  }
}

/** A result that the model was only asked to correct is better than none. */
function stopAt({ finished, model }: Course, stopped: StopReason, message?: string): ResearchEnd {
  if (finished && model !== undefined && stopped !== 'max_credits') return { finish: finished, model };
  return { stopped, ...(message !== undefined && { message }), ...(model !== undefined && { model }) };
}

/** Undefined if the model may try again. */
function afterFailure(
  { conversation }: Researcher,
  course: Course,
  { failed, message }: Extract<TurnOutput, { failed: string }>,
): ResearchEnd | undefined {
  if (failed === 'unreachable' && course.turns === 1) return { without: message };
  if (failed === 'unreachable') return stopAt(course, 'model_failed', message);
  if (failed === 'refused') return stopAt(course, 'refused', message);
  if (failed === 'too-long') conversation.shrink();
  conversation.add({ results: [], ...(failed === 'unusable' && { note: NOTES.unusable }) });
  course.idle += 1;
  return undefined;
}

interface TakenTurn {
  turn: ModelTurn;
  model: string;
  offered: readonly ModelTool[];
  isEnding: boolean;
}

async function afterTurn(researcher: Researcher, course: Course, taken: TakenTurn): Promise<ResearchEnd | undefined> {
  const { tools, conversation, review } = researcher;
  const { model } = taken;
  course.model = model;
  if (course.turns === 1) await reportPlan(tools, taken.turn);
  const { exchange, isIdle, finish, limit } = await carryOut(researcher, course, taken);
  course.idle = isIdle ? course.idle + 1 : 0;
  if (limit) course.limit = limit;
  if (limit === 'max_credits') return stopAt(course, limit);
  const note = finish && !course.finished ? await review(finish) : undefined;
  if (finish && note === undefined) return { finish, model };
  if (finish) course.finished = finish;
  conversation.add(withNote(exchange, note ?? (taken.isEnding || course.idle > 1 ? NOTES.ending : undefined)));
  return undefined;
}

const withNote = (exchange: Exchange, note: string | undefined): Exchange => ({
  ...exchange,
  ...((exchange.note ?? note) !== undefined && { note: [exchange.note, note].filter(Boolean).join('\n') }),
});

function reportPlan(tools: RunTools, { text }: ModelTurn): Promise<unknown> {
  const message = text.trim().slice(0, 2_000);
  if (message === '') return Promise.resolve();
  return tools.step({ key: 'plan', name: 'plan' }, async () => ({ output: { message } }));
}

async function carryOut(
  researcher: Researcher,
  { turns, made, finished }: Course,
  { turn, offered }: TakenTurn,
): Promise<Progress> {
  const isProse = turn.toolCalls.length === 0;
  const written = isProse
    ? proseCalls(turn.text, new Set(offered.map(({ name }) => name))).map((call, at) => ({ ...call, id: `text ${at}` }))
    : turn.toolCalls;
  if (written.length === 0) return afterWords(researcher, { turns, finished }, turn);
  const read = written.slice(0, MAX_CALLS).map((call) => readCall(call, offered));
  const fresh = read.filter((call) => !('problem' in call) && !isRepeated(researcher, made, call));
  const outcomes = await researcher.toolbox.run(
    turns,
    fresh.flatMap((call) => ('problem' in call ? [] : [call])),
    { isCorrection: finished !== undefined },
  );
  for (const call of fresh) made.set(hashOf(call), turns - 1);
  const outcomeOf = (at: number): ToolOutcome => {
    const call = read[at];
    if (!call) return notDone(NOTES.tooMany);
    if ('problem' in call) return notDone(call.problem);
    return outcomes[fresh.indexOf(call)] ?? notDone(NOTES.repeated);
  };
  const all = written.map((_, at) => outcomeOf(at));
  const finish = read.find((call) => 'tool' in call && call.tool === 'finish');
  const refusals = new Set(all.map(({ refusal }) => refusal));
  const limit = LIMITS.find((each) => refusals.has(each));
  const results = written.map((call, at) => ({ call, text: all[at]!.text, short: all[at]!.short }));
  return {
    exchange: { turn, results, ...(isProse && { isProse }) },
    isIdle: !all.some(({ isNew }) => isNew),
    ...(finish && 'input' in finish && { finish: finish.input as FinishInput }),
    ...(limit && { limit }),
  };
}

const LIMITS = [LIMIT_CODES.credits, LIMIT_CODES.host] as const;
const notDone = (text: string): ToolOutcome => ({ text, short: text, isNew: false });

/** The same call again, while its result is still shown. `finish` is a decision and may be repeated. */
function isRepeated({ conversation }: Researcher, made: Course['made'], call: object): boolean {
  const at = made.get(hashOf(call));
  return at !== undefined && conversation.shows(at) && !('tool' in call && call.tool === 'finish');
}

/** A turn without a call: the answer itself, if it looks like one. */
async function afterWords(
  { isChat, toolbox }: Researcher,
  { turns, finished }: Pick<Course, 'turns' | 'finished'>,
  turn: ModelTurn,
): Promise<Progress> {
  const exchange = { turn, results: [] };
  const nothing = { sources: [], suggestions: [] };
  if (isChat && turns > 1) {
    // In the first turn, words without a call are a plan.
    return { exchange, isIdle: false, finish: { ...nothing, message: turn.text.trim() } };
  }
  const data = proseData(turn.text);
  if (!data) return { exchange: { ...exchange, note: NOTES.callATool }, isIdle: true };
  const finish = { ...nothing, data };
  await toolbox.run(turns, [{ tool: 'finish', input: finish }], { isCorrection: finished !== undefined });
  return { exchange, isIdle: false, finish };
}
