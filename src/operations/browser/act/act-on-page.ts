// Lets a language model carry out a task on a page: it sees the page as text, names actions, and sees what came of them,
// until it has finished, repeats itself, or runs out of turns. Used by interactions, and by whatever else acts in a browser.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../../models/language-model.ts';
import type { PageDriver, PageView } from '../../../sessions/page-driver.ts';
import { estimateTokens, fitTokens } from '../../../text/estimate-tokens.ts';
import { ACT_ON_PAGE, ACTIONS_SCHEMA, readWishes, type Wish } from '../../../understand/prompts/tasks/act-on-page.ts';
import { hashOf } from '../../../util/hash.ts';

export interface ActTask {
  driver: PageDriver;
  model: LanguageModel;
  instruction: string;
  /** How often the model is asked. */
  maxTurns?: number;
  /** Called before every turn, for example to keep a session alive. */
  onTurn?(): void;
  signal: AbortSignal;
}

export interface DoneAction {
  /** As it stands in the history: `click [3]`. Never what was typed. */
  action: string;
  /** What came of it. */
  result: string;
}

export interface Acted {
  output: string;
  /** Why the task was not carried out. */
  error?: string;
  actions: DoneAction[];
  turns: number;
}

/** At a few seconds a turn, more do not fit into the longest `timeout`. */
export const MAX_TURNS = 40;
const MAX_UNREADABLE = 2;
/** The same actions on the same page. Pages with counters and clocks differ each time; those end with the turns. */
const MAX_REPEATS = 3;
const ANSWER_TOKENS = 1_200;
const OVERHEAD_TOKENS = 500;
const LEAST_PAGE_TOKENS = 600;
const HISTORY_LINES = 15;
const MAX_HISTORY_LINE = 1_000;

/** Throws what the model or the signal throws; everything else that can happen to a page is part of the result. */
export async function actOnPage(task: ActTask): Promise<Acted> {
  const { driver, signal, maxTurns = MAX_TURNS } = task;
  const actions: DoneAction[] = [];
  const history: string[] = [];
  const seen = new Map<string, number>();
  const ended = (turns: number, error: string, output = ''): Acted => ({ output, error, actions, turns });
  let from = 0;
  let unreadable = 0;

  for (let turn = 1; turn <= maxTurns; turn += 1) {
    task.onTurn?.();
    const view = await driver.view();
    const shown = showView(view, from, roomFor(task, history));
    const answer = await ask(task, shown.text, history, signal);
    const wishes = readWishes(answer);
    if (typeof wishes === 'string') {
      unreadable += 1;
      if (unreadable > MAX_UNREADABLE) return ended(turn, 'The language model did not answer with actions.');
      history.push(wishes);
      continue;
    }
    const key = hashOf(view.url, view.lines, from, wishes);
    const repeats = (seen.get(key) ?? 0) + 1;
    seen.set(key, repeats);
    if (repeats > MAX_REPEATS) return ended(turn, 'The language model kept repeating the same actions without effect.');

    from = wishes.some(({ type }) => type === 'read') ? shown.next : 0;
    const finish = await carryOut(driver, wishes, (done) => {
      actions.push(done);
      history.push(`${done.action}: ${done.result}`.slice(0, MAX_HISTORY_LINE));
    });
    if (!finish) continue;
    const { output, isFailure } = finish;
    if (!isFailure) return { output, actions, turns: turn };
    return ended(turn, output || 'The task could not be carried out.', output);
  }
  return ended(maxTurns, `The task was not finished within ${maxTurns} turns.`);
}

async function carryOut(
  driver: PageDriver,
  wishes: readonly Wish[],
  onDone: (done: DoneAction) => void,
): Promise<Extract<Wish, { type: 'finish' }> | undefined> {
  for (const wish of wishes) {
    if (wish.type === 'finish') return wish;
    if (wish.type === 'read' || wish.type === 'note') {
      onDone({ action: wish.type, result: wish.type === 'note' ? wish.text : 'the next part is shown' });
      continue;
    }
    const { problem, note, isNewPage } = await driver.perform(wish);
    const result = [problem === undefined ? 'done' : `failed: ${problem}`, note].filter(Boolean).join('. ');
    onDone({ action: nameOf(wish), result });
    // The next actions were planned for the page as it was.
    if (problem !== undefined || isNewPage) return undefined;
  }
  return undefined;
}

/** Typed text may be a password, and the model knows it from the task. */
function nameOf(wish: Exclude<Wish, { type: 'finish' }>): string {
  switch (wish.type) {
    case 'click':
    case 'type':
      return `${wish.type} [${wish.element}]`;
    case 'select':
      return `select [${wish.element}] ${JSON.stringify(wish.option)}`;
    case 'press':
      return `press ${wish.key}`;
    case 'scroll':
      return `scroll ${wish.direction}`;
    case 'open':
      return `open ${wish.url}`;
    default:
      return wish.type;
  }
}

const EMPTY = '(nothing yet)';
const historyText = (history: readonly string[]): string => history.slice(-HISTORY_LINES).join('\n') || EMPTY;

function roomFor({ model, instruction }: ActTask, history: readonly string[]): number {
  const other = estimateTokens(ACT_ON_PAGE + JSON.stringify(ACTIONS_SCHEMA) + instruction + historyText(history));
  return Math.max(LEAST_PAGE_TOKENS, model.contextTokens - other - ANSWER_TOKENS - OVERHEAD_TOKENS);
}

/** A part of the page that the model has room for, and the line where the next part begins. */
function showView({ url, title, lines, isCut }: PageView, from: number, room: number): { text: string; next: number } {
  const start = from < lines.length ? from : 0;
  const head = [`Address: ${url}`, `Title: ${title.replace(/\s+/g, ' ')}`];
  const { text, isCut: isLonger } = fitTokens([...head, ...lines.slice(start)].join('\n'), room);
  const count = Math.max(1, text.split('\n').length - head.length);
  const next = start + count;
  const rest = lines.length - next;
  const tail = isLonger && rest > 0 ? [`(${rest} more lines; read shows them)`] : isCut ? ['(the page is longer)'] : [];
  return { text: [text, ...tail].join('\n'), next: rest > 0 ? next : 0 };
}

async function ask(
  { model, instruction }: ActTask,
  page: string,
  history: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const material = { task: instruction, history: historyText(history), page };
  const call = { instructions: ACT_ON_PAGE, schema: ACTIONS_SCHEMA, material, maxOutputTokens: ANSWER_TOKENS, signal };
  try {
    return (await model.object(call)).value;
  } catch (error) {
    // Prose instead of actions counts like any other answer that cannot be read.
    if (error instanceof ServiceError && error.code === 'MODEL_FAILED' && isUnreadable(error)) return undefined;
    throw error;
  }
}

const isUnreadable = ({ cause }: ServiceError): boolean =>
  cause instanceof Error && 'kind' in cause && cause.kind === 'malformed';
