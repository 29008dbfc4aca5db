// `npm run bench -- understand [FOLDER]`: how much of a page is understood: fields of labelled pages, without a model and,
// if TRAWL_MODEL is set, with it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_MODELS } from '../../src/models/no-models.ts';
import { createUnderstander } from '../../src/understand/understander.ts';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { heldOutPages } from './held-out/held-out.ts';
import { measureJson } from './json-fields.ts';
import { openPages } from './open/open.ts';
import { measurePassages, readQuestions } from './passages.ts';
import { heldOutQuestions } from './questions/held-out-questions.ts';
import { openQuestions } from './questions/open-questions.ts';
import { measureSummaries } from './summaries.ts';

/** `--only open`, `--only held-out`: one half of the labelled pages. */
const HALVES = {
  open: { pages: openPages, questions: openQuestions },
  'held-out': { pages: heldOutPages, questions: heldOutQuestions },
};

export async function understand({ folder, only }: BenchOptions): Promise<Row[]> {
  const understander = createUnderstander(NO_MODELS);
  const rows: Row[] = [];
  mkdirSync(RESULTS, { recursive: true });
  try {
    for (const [half, { pages, questions }] of Object.entries(HALVES)) {
      if (only !== undefined && only !== half) continue;
      rows.push(...measurePassages(questions, `${half} questions`));
      const measured = await measureJson(pages, understander, half);
      rows.push(...measured.rows);
      // Single mistakes are written down for the open half only: the other one is for measuring.
      if (half === 'open') writeFileSync(join(RESULTS, 'understand-mistakes.jsonl'), measured.mistakes.join('\n'));
    }
    if (folder !== undefined) rows.push(...measurePassages(readQuestions(folder), 'questions of the folder'));
    rows.push(...measureSummaries([...openPages, ...heldOutPages], [...openQuestions, ...heldOutQuestions]));
  } finally {
    await understander.close();
  }
  return rows;
}
