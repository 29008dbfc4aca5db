// `npm run bench -- answer`: 80 questions to a web of our own, through POST /v2/answer: how many are answered right, and how many
// of those that no page answers are answered all the same. Twenty of them are held out.
import { writeDocs, writeJournal } from '../../demo/web/articles.ts';
import { writeShop } from '../../demo/web/shop.ts';
import type { AnswerResponse } from '../../src/contracts/answer/answer.ts';
import { heldOutTemplates } from '../agent/held-out/held-out.ts';
import { openTemplates } from '../agent/open/open.ts';
import { startTaskWeb, type TaskWeb } from '../agent/task-web.ts';
import { cpuSeconds } from '../measure.ts';
import type { BenchOptions, Row } from '../report.ts';
import type { AskedQuestion } from './asked-question.ts';
import { heldOutQuestions } from './held-out-questions.ts';
import { openQuestions } from './open-questions.ts';

const HALVES = { open: openQuestions, 'held-out': heldOutQuestions };
type Half = keyof typeof HALVES;

interface Result {
  half: Half;
  asked: AskedQuestion;
  answer: string | null;
  verdict: 'right' | 'wrong' | 'not stated' | 'invented' | 'refused';
  seconds: number;
  cpu: number;
}

export async function answer({ only, every = 1, showHeldOut }: BenchOptions): Promise<Row[]> {
  const halves = (Object.keys(HALVES) as Half[]).filter((half) => only === undefined || only === half);
  if (halves.length === 0) throw new Error('--only takes open or held-out.');
  // All sites are there for all questions, so that finding the right page is part of it.
  const sites = Object.assign({}, ...[...openTemplates, ...heldOutTemplates].map((template) => template.sites));
  const demo = { ...writeDocs(), ...writeJournal(), ...writeShop() };
  const scene = await startTaskWeb({ ...sites, 'saltmarsh.test': demo }, modelSettings());
  try {
    const results: Result[] = [];
    for (const half of halves) {
      for (const asked of HALVES[half].filter((_, at) => at % every === 0)) {
        const result = { half, asked, ...(await ask(scene, asked)) };
        results.push(result);
        if (half === 'open' || showHeldOut) print(result);
      }
    }
    return halves.flatMap((half) =>
      rowsOf(
        half,
        results.filter((result) => result.half === half),
      ),
    );
  } finally {
    await scene.stop();
  }
}

const modelSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[0].startsWith('TRAWL_MODEL') && entry[1] !== undefined,
    ),
  );

async function ask(
  { service }: TaskWeb,
  { question, answers }: AskedQuestion,
): Promise<Omit<Result, 'half' | 'asked'>> {
  const [began, cpu] = [performance.now(), cpuSeconds(service.pid)];
  const { status, body } = await service.post<AnswerResponse>('/v2/answer', { query: question });
  if (status !== 200) throw new Error(`POST /v2/answer answered ${status}: ${JSON.stringify(body)}`);
  const { answer } = body.data;
  return {
    answer,
    verdict: verdictOf(answer, answers),
    seconds: (performance.now() - began) / 1_000,
    cpu: cpuSeconds(service.pid) - cpu,
  };
}

function verdictOf(answer: string | null, answers: readonly string[]): Result['verdict'] {
  if (answers.length === 0) return answer === null ? 'refused' : 'invented';
  if (answer === null) return 'not stated';
  const text = folded(answer);
  return answers.some((one) => text.includes(folded(one))) ? 'right' : 'wrong';
}

const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const print = ({ asked, answer, verdict, cpu }: Result): void =>
  console.log(`${verdict.padEnd(10)} ${asked.question}\n           ${answer ?? '-'} (${cpu.toFixed(2)} s CPU)`);

function rowsOf(half: Half, results: readonly Result[]): Row[] {
  const count = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const answerable = results.filter(({ asked }) => asked.answers.length > 0).length;
  const row = (measure: string, value: number, unit: string, aim?: string): Row => ({
    measure: `${half}: ${measure}`,
    value,
    unit,
    ...(aim && { aim }),
  });
  const mean = (of: (result: Result) => number) => results.reduce((sum, one) => sum + of(one), 0) / results.length;
  return [
    row(`answered right (of ${answerable})`, (100 * count('right')) / answerable, '%', '>= 70'),
    row('answered wrong', (100 * count('wrong')) / answerable, '%'),
    row('wrongly not stated', (100 * count('not stated')) / answerable, '%'),
    row(`invented (of ${results.length - answerable})`, count('invented'), '', '0'),
    row(
      'time a question',
      mean(({ seconds }) => seconds),
      's',
    ),
    row(
      'CPU a question',
      mean(({ cpu }) => cpu),
      's',
    ),
  ];
}
