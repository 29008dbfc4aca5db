// `npm run bench -- understand [FOLDER]`: how much of a page is understood: fields of labelled pages, passages for
// questions, summaries. Without a model and, if TRAWL_MODEL is set, with it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEncoders } from '../../src/encoders/encoders.ts';
import { NO_MODELS } from '../../src/models/no-models.ts';
import { createPagePool } from '../../src/page-threads/page-pool.ts';
import { createUnderstander } from '../../src/understand/understander.ts';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { measureAnswers } from './answers.ts';
import { heldOutPages } from './held-out/held-out.ts';
import { measureJson } from './json-fields.ts';
import { openPages } from './open/open.ts';
import { measurePassages, readQuestions } from './passages.ts';
import { heldOutQuestions } from './questions/held-out-questions.ts';
import { openQuestions } from './questions/open-questions.ts';
import { openSetModel, type SetModel } from './set-model.ts';
import { measureSummaries } from './summaries.ts';

/** `--only open`, `--only held-out`: one half of the labelled pages and questions. */
const HALVES = {
  open: { pages: openPages, questions: openQuestions },
  'held-out': { pages: heldOutPages, questions: heldOutQuestions },
};
type Half = keyof typeof HALVES;

/** With `--every N`, for slow models: only every n-th page. */
const partOf = (half: Half, every: number) => ({
  pages: HALVES[half].pages.filter((_, at) => at % every === 0),
  questions: HALVES[half].questions.filter((_, at) => at % every === 0),
});

export async function understand({ folder, only, every = 1 }: BenchOptions): Promise<Row[]> {
  const halves = (Object.keys(HALVES) as Half[]).filter((half) => only === undefined || only === half);
  if (halves.length === 0) throw new Error('--only takes open or held-out.');
  mkdirSync(RESULTS, { recursive: true });
  const rows = await withoutModel(halves, every, folder);
  const model = openSetModel();
  if (model === undefined) return rows;
  try {
    const alone = rows.map((row) => ({ ...row, system: 'no model' }));
    return [...alone, ...(await withModel(model, halves, every))];
  } finally {
    await model.close();
  }
}

async function withoutModel(halves: readonly Half[], every: number, folder: string | undefined): Promise<Row[]> {
  const pool = createPagePool();
  const encoders = createEncoders();
  const byRules = createUnderstander(NO_MODELS, { pool });
  const understander = createUnderstander(NO_MODELS, { pool, reader: encoders.reader });
  const rows: Row[] = [];
  try {
    for (const half of halves) {
      const { pages, questions } = partOf(half, every);
      rows.push(...measurePassages(questions, `${half} questions`));
      rows.push(...(await measureJson(pages, byRules, `${half}, rules alone`)).rows);
      rows.push(...(await measureJson(pages, understander, `${half}, best guess`, 0)).rows);
      const measured = await measureJson(pages, understander, half);
      rows.push(...measured.rows);
      // Single mistakes are written down for the open half only: the other one is for measuring.
      if (half === 'open') writeFileSync(join(RESULTS, 'understand-mistakes.jsonl'), measured.mistakes.join('\n'));
    }
    if (folder !== undefined) rows.push(...measurePassages(readQuestions(folder), 'questions of the folder'));
    rows.push(...measureSummaries([...openPages, ...heldOutPages], [...openQuestions, ...heldOutQuestions]));
    return rows;
  } finally {
    await encoders.close();
    await pool.close();
  }
}

async function withModel({ name, understander }: SetModel, halves: readonly Half[], every: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const half of halves) {
    const { pages, questions } = partOf(half, every);
    rows.push(...(await measureJson(pages, understander, half)).rows);
    rows.push(...(await measureAnswers(questions, understander, `${half} questions`)));
  }
  return rows.map((row) => ({ ...row, system: name }));
}
