// `npm run bench -- agent`: 40 tasks on a web of our own, through POST /v2/agent: how many fields are exact, and what they cost.
// Half of the tasks are held out. Without a model and, if TRAWL_MODEL is set, with it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import type { FieldScore } from '../understand/score-fields.ts';
import { heldOutTemplates } from './held-out/held-out.ts';
import { openTemplates } from './open/open.ts';
import { NoAgent, runTask, type TaskRun } from './run-task.ts';
import { findStatements, scoreAnswer } from './score-answer.ts';
import { checkTasks } from './self-check.ts';
import type { AgentTask, TaskSites, TaskTemplate } from './task.ts';
import { startTaskWeb } from './task-web.ts';

const HALVES = { open: openTemplates, 'held-out': heldOutTemplates };
type Half = keyof typeof HALVES;
const AIM_WITHOUT_MODEL = '60';

interface Result {
  half: Half;
  task: AgentTask;
  run: TaskRun;
  /** 0 to 1 for each field or statement. */
  scores: number[];
  wrong: number[];
  mistakes: Pick<FieldScore, 'path' | 'expected' | 'actual'>[];
}

export async function agent({ only, every = 1, showHeldOut }: BenchOptions): Promise<Row[]> {
  const problems = (Object.keys(HALVES) as Half[]).flatMap((half) => checkHalf(half));
  if (problems.length > 0) throw new Error(`The expected answers are not right:\n${problems.join('\n')}`);
  const chosen = chooseTasks(only, every);
  if (chosen.length === 0) throw new Error('--only takes open, held-out, self-check or the name of a task.');
  if (only === 'self-check') return countRows();
  mkdirSync(RESULTS, { recursive: true });
  const systems = [{ name: 'no model', settings: {} as Record<string, string> }];
  if (process.env.TRAWL_MODEL) systems.push({ name: process.env.TRAWL_MODEL, settings: modelSettings() });
  const rows: Row[] = [];
  for (const { name, settings } of systems) {
    const results = await runAll(chosen, settings, showHeldOut);
    if (results === undefined) return countRows();
    writeResults(name, results, showHeldOut);
    rows.push(...rowsOf(results, name));
  }
  return systems.length > 1 ? rows : rows.map(({ system: _, ...row }) => row);
}

const tasksOf = (templates: readonly TaskTemplate[]): AgentTask[] => templates.flatMap(({ tasks }) => tasks);
const sitesOf = (templates: readonly TaskTemplate[]): TaskSites =>
  Object.assign({}, ...templates.map(({ sites }) => sites));
const checkHalf = (half: Half): string[] => checkTasks(tasksOf(HALVES[half]), sitesOf(HALVES[half]));

const countRows = (): Row[] =>
  (Object.keys(HALVES) as Half[]).map((half) => ({
    measure: `${half}: tasks whose answers stand on their pages`,
    value: tasksOf(HALVES[half]).length,
    unit: 'tasks',
  }));

function chooseTasks(only: string | undefined, every: number): { half: Half; task: AgentTask }[] {
  const all = (Object.keys(HALVES) as Half[]).flatMap((half) => tasksOf(HALVES[half]).map((task) => ({ half, task })));
  const isChosen = ({ half, task }: (typeof all)[number]) =>
    only === undefined || only === 'self-check' || only === half || only === task.name;
  return all.filter(isChosen).filter((_, at) => at % every === 0);
}

/** The settings of the model only, so that the rest is the same for everybody. */
const modelSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[0].startsWith('TRAWL_MODEL') && entry[1] !== undefined,
    ),
  );

/** Undefined if the service has no agent. */
async function runAll(
  chosen: readonly { half: Half; task: AgentTask }[],
  settings: Record<string, string>,
  showHeldOut: boolean,
): Promise<Result[] | undefined> {
  const halves = [...new Set(chosen.map(({ half }) => half))];
  const scene = await startTaskWeb(Object.assign({}, ...halves.map((half) => sitesOf(HALVES[half]))), settings);
  const results: Result[] = [];
  try {
    for (const { half, task } of chosen) {
      const run = await runTask(task, scene);
      const result = { half, task, run, ...score(task, run) };
      results.push(result);
      if (half === 'open' || showHeldOut) print(result);
    }
    return results;
  } catch (error) {
    if (!(error instanceof NoAgent)) throw error;
    console.log(error.message);
    return undefined;
  } finally {
    await scene.stop();
  }
}

function score(
  { expected, statements = [] }: AgentTask,
  { data }: TaskRun,
): Pick<Result, 'scores' | 'wrong' | 'mistakes'> {
  if (expected === undefined) {
    const found = findStatements(statements, data);
    const missing = statements.filter((_, at) => !found[at]);
    return {
      scores: found.map(Number),
      wrong: [],
      mistakes: missing.map((statement) => ({ path: 'statement', expected: statement, actual: data })),
    };
  }
  const fields = scoreAnswer(expected, data);
  const wrong = fields.map((field) => field.wrong);
  return { scores: fields.map(({ right }) => right), wrong, mistakes: fields.filter(({ right }) => right < 1) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const average = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);

function print({ task, run, scores, mistakes }: Result): void {
  const { status, stopReason, error, steps, pages, tokens } = run;
  const end = status === 'completed' ? '' : ` ${status} ${stopReason ?? ''} ${error ?? ''}`;
  console.log(
    `${task.name.padEnd(20)} ${sum(scores).toFixed(1)} of ${scores.length} right, ${steps} steps, ${pages} pages, ${tokens} tokens, ${run.cpuSeconds.toFixed(2)} s CPU${end}`,
  );
  for (const { path, expected, actual } of mistakes) {
    console.log(`    ${path}: expected ${short(expected)}, got ${short(actual)}`);
  }
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300);

function writeResults(system: string, results: readonly Result[], showHeldOut: boolean): void {
  const shown = results.filter(({ half }) => half === 'open' || showHeldOut);
  const file = `agent-${system.replace(/\W+/g, '-')}.json`;
  const lines = shown.map(({ half, task, run, scores, mistakes }) => ({
    half,
    task: task.name,
    run,
    scores,
    mistakes,
  }));
  writeFileSync(join(RESULTS, file), `${JSON.stringify(lines, null, 2)}\n`);
}

function rowsOf(results: readonly Result[], system: string): Row[] {
  return [...Map.groupBy(results, ({ half }) => half)].flatMap(([half, some]) => {
    const withSchema = some.filter(({ task }) => task.schema !== undefined);
    const withoutSchema = some.filter(({ task }) => task.schema === undefined);
    const row = (measure: string, value: number, unit: string, aim?: string): Row => ({
      measure: `${half}: ${measure}`,
      value,
      unit,
      system,
      ...(aim && { aim }),
    });
    const percent = (of: readonly Result[]) => 100 * average(of.flatMap(({ scores }) => scores));
    return [
      row('exact fields', percent(withSchema), '%', AIM_WITHOUT_MODEL),
      row('wrong fields', 100 * average(withSchema.flatMap(({ wrong }) => wrong)), '%'),
      row('tasks with all fields exact', withSchema.filter(({ mistakes }) => mistakes.length === 0).length, 'tasks'),
      row('statements found', percent(withoutSchema), '%'),
      row('runs that did not complete', some.filter(({ run }) => run.status !== 'completed').length, 'tasks'),
      row('tool calls a task', average(some.map(({ run }) => run.steps)), ''),
      row('pages a task', average(some.map(({ run }) => run.pages)), ''),
      row('tokens a task', average(some.map(({ run }) => run.tokens)), ''),
      row('CPU a task', average(some.map(({ run }) => run.cpuSeconds)), 's'),
    ];
  });
}
