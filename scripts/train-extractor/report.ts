// The scores of a validation as rows: every set and page type, and the held-out half of magic-html.
import { markdownTable } from '../../src/markup/markdown-table.ts';
import { mean } from '../labelled/score.ts';
import type { ExamplePage } from './examples.ts';
import { isHeldBack } from './split.ts';
import type { PageResult, Validation } from './validate.ts';

export interface ScoreRow {
  pages: string;
  count: number;
  f1: number | undefined;
  precision: number | undefined;
  recall: number | undefined;
  gramF1: number | undefined;
  wanted: number;
  unwanted: number;
  typeIsRight: number | undefined;
}

type Judged = readonly [ExamplePage, Omit<PageResult, 'typeIsRight'> & Partial<Pick<PageResult, 'typeIsRight'>>];

export const scoreRows = (pages: readonly ExamplePage[], { results }: Validation): ScoreRow[] =>
  rowsOf(pages.map((page, i): Judged => [page, results[i]!]));

/** One row for each set and page type. */
export function rowsOf(judged: readonly Judged[]): ScoreRow[] {
  const groups = new Map<string, Judged[]>();
  const add = (name: string, entry: Judged) => {
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  };
  for (const entry of judged) {
    const [page] = entry;
    if (page.set === 'wcxb-dev' && page.truth !== '') {
      add('wcxb-dev', entry);
      add(`wcxb-dev ${page.type}`, entry);
    } else if (page.set === 'trafi' || page.set === 'ceb') add(page.set, entry);
    else if (isHeldBack(page) && page.truth !== '') add(`${page.set} B`, entry);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => scoreRow(name, group));
}

function scoreRow(pages: string, group: readonly Judged[]): ScoreRow {
  const scored = group.flatMap(([, { score }]) => score ?? []);
  const meanOf = (values: readonly number[]) => (values.length === 0 ? undefined : rounded(mean(values)));
  const isTyped = scored.length > 0;
  return {
    pages,
    count: group.length,
    f1: meanOf(scored.map(({ f1 }) => f1)),
    precision: meanOf(scored.map(({ precision }) => precision)),
    recall: meanOf(scored.map(({ recall }) => recall)),
    gramF1: meanOf(group.flatMap(([, { gramF1 }]) => gramF1 ?? [])),
    wanted: rounded(mean(group.map(([, { wanted }]) => wanted))),
    unwanted: rounded(mean(group.map(([, { unwanted }]) => unwanted))),
    typeIsRight:
      isTyped && group.every(([, { typeIsRight }]) => typeIsRight !== undefined)
        ? rounded(mean(group.map(([, { typeIsRight }]) => (typeIsRight ? 1 : 0))))
        : undefined,
  };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

const HEADINGS: [key: keyof ScoreRow, heading: string][] = [
  ['pages', 'pages'],
  ['count', 'count'],
  ['f1', 'F1'],
  ['precision', 'precision'],
  ['recall', 'recall'],
  ['gramF1', '4-gram F1'],
  ['wanted', 'wanted snippets'],
  ['unwanted', 'unwanted snippets'],
  ['typeIsRight', 'type right'],
];

/** A Markdown table. */
export function scoreTable(rows: readonly ScoreRow[]): string {
  const show = (value: string | number | undefined, key: keyof ScoreRow) => {
    if (value === undefined) return '';
    return typeof value === 'number' && key !== 'count' ? value.toFixed(4) : String(value);
  };
  return markdownTable(
    [HEADINGS.map(([, heading]) => heading), ...rows.map((row) => HEADINGS.map(([key]) => show(row[key], key)))],
    HEADINGS.map(([key]) => (key === 'pages' ? '---' : '--:')),
  );
}
