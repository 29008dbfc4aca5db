// Whether pages in eleven languages are found by other forms of their words, by parts of compounds, without accents: MRR@10
// by language and kind, over one index with all pages. With `--against CHECKOUT`, the index of that version, too.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageIndex } from '../../src/index/page-index.ts';
import { parseQuery } from '../../src/search/query/query.ts';
import { CORPUS_NOW } from '../corpus/corpus.ts';
import { plainConditions, VISIBLE } from '../index/index-queries.ts';
import { isOnOpenSearch, openMeasuredIndex } from '../index/open-measured-index.ts';
import type { BenchOptions, Row } from '../report.ts';
import { type LabelledText, pageChange } from '../retrieval.ts';

const TEXTS = join(import.meta.dirname, 'texts');
const DEPTH = 10;

interface Question {
  language: string;
  /** What tells the query from the text: `forms`, `compounds` or `accents`. */
  kind: string;
  query: string;
  /** The id of the only text that answers it. */
  answer: string;
}

export async function languages({ engine, against, only }: BenchOptions): Promise<Row[]> {
  const { texts, questions } = readTexts();
  const systems = [
    ...(against === undefined ? [] : [{ system: 'before', open: (file: string) => openOther(against, file) }]),
    { system: 'trawl', open: (file: string) => openMeasuredIndex(engine, file) },
  ];
  const rows: Row[] = [];
  for (const { system, open } of systems) {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-languages-'));
    const index = await open(join(folder, 'index.db'));
    await index.apply(texts.map((text, at) => ({ ...pageChange(text), change: at + 1 })));
    const scored: (Question & { score: number })[] = [];
    for (const question of questions) {
      const score = await reciprocalRank(index, question);
      scored.push({ ...question, score });
      if (only === question.language && score < 1) console.log(system, question.query, score.toFixed(2));
    }
    await index.close();
    rmSync(folder, { recursive: true, force: true });
    const groups = {
      ...Object.groupBy(scored, ({ language }) => language),
      ...Object.groupBy(scored, ({ kind }) => kind),
    };
    for (const [measure, some = []] of [...Object.entries(groups), ['all', scored] as const])
      rows.push({ measure, system, value: mean(some.map(({ score }) => score)), unit: `MRR@10 of ${some.length}` });
  }
  return isOnOpenSearch(engine) ? rows.map((row) => ({ ...row, system: `${row.system} on OpenSearch` })) : rows;
}

/** A line is a text and the queries that it answers: `text|kind: words|kind: words`. */
function readTexts(): { texts: (LabelledText & { language: string })[]; questions: Question[] } {
  const all = readdirSync(TEXTS).map((file) => {
    const language = file.split('.')[0]!;
    const lines = readFileSync(join(TEXTS, file), 'utf8').trim().split('\n');
    return lines.map((line, at) => {
      const [body = '', ...asked] = line.split('|');
      const id = `${language}${at}`;
      const questions = asked.map((one): Question => {
        const [kind = '', query = ''] = one.split(': ');
        return { language, kind, query, answer: id };
      });
      return { text: { id, title: '', body, language }, questions };
    });
  });
  return { texts: all.flat().map(({ text }) => text), questions: all.flat().flatMap(({ questions }) => questions) };
}

async function openOther(checkout: string, file: string): Promise<PageIndex> {
  const path = pathToFileURL(join(checkout, 'src/index/open-index.ts')).href;
  const { openPageIndex } = (await import(path)) as typeof import('../../src/index/open-index.ts');
  return openPageIndex({ file });
}

async function reciprocalRank(index: PageIndex, { query, answer }: Question): Promise<number> {
  const hits = await index.web({
    ...VISIBLE,
    ...{ query: parseQuery(query), conditions: plainConditions, limit: DEPTH, highlights: false, now: CORPUS_NOW },
  });
  const rank = hits.findIndex(({ url }) => url.includes(`doc-${answer}.`));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
