// Turns the results of single pages into the figures of an extractor: quality by set and page type, and cost.
import type { LabelledPage } from '../../scripts/labelled/pages.ts';
import { gramScore, harmonic, mean, type Score, wordScore } from '../../scripts/labelled/score.ts';
import type { Row } from '../report.ts';
import { plainText, snippetShare } from './extract-score.ts';

export interface Cost {
  bytes: number;
  cpuMs: number;
}

/** The quality of one page. */
export interface PageScore extends Pick<LabelledPage, 'set' | 'position' | 'id' | 'type' | 'url'> {
  /** Whether the extractor returned any text. */
  answered: boolean;
  /** Undefined if only snippets are known. */
  words: Score | undefined;
  /** For articles only: the order of other pages is ambiguous. */
  shingles: Score | undefined;
  wanted: number | undefined;
  unwanted: number | undefined;
}

export interface PageResult extends PageScore {
  error: string | undefined;
  dense: Cost;
  raw: Cost;
}

/** The results of one extractor. */
export interface ExtractorResult {
  system: string;
  pages: PageResult[];
  /** Peak memory of its process after the dense pages, and after the raw ones. */
  peakMb: { dense: number; raw: number };
}

export function scorePage(page: LabelledPage, markdown: string): PageScore {
  const { set, position, id, type, url, truth } = page;
  const text = plainText(markdown);
  return {
    set,
    position,
    id,
    type,
    url,
    answered: text.trim() !== '',
    words: truth ? wordScore(text, truth) : undefined,
    shingles: truth && type === 'article' ? gramScore(text, truth) : undefined,
    wanted: page.with.length > 0 ? snippetShare(text, page.with) : undefined,
    unwanted: page.without.length > 0 ? snippetShare(text, page.without) : undefined,
  };
}

/** All rows of one extractor. Its cost is compared with that of `rival`. */
export function rowsOf(result: ExtractorResult, rival: ExtractorResult | undefined): Row[] {
  const sets = Map.groupBy(result.pages, ({ set }) => set);
  return [
    row('pages', result.pages.length),
    row('failed pages', result.pages.filter(({ error }) => error !== undefined).length),
    ...[...sets].flatMap(([set, pages]) => setRows(set, pages)),
    ...(['dense', 'raw'] as const).flatMap((kind) => costRows(kind, result, rival)),
  ].map((each) => ({ ...each, system: result.system }));
}

function setRows(set: string, pages: PageScore[]): Row[] {
  const rows: Row[] = [];
  const scored = pages.filter(({ words }) => words !== undefined);
  if (scored.length > 0) {
    for (const part of ['f1', 'precision', 'recall'] as const) {
      rows.push(row(`${set}: ${part === 'f1' ? 'F1' : part}`, mean(scored.map(({ words }) => words![part]))));
    }
    const types = Map.groupBy(scored, ({ type }) => type);
    for (const [type, some] of [...types].sort(([a], [b]) => a.localeCompare(b))) {
      if (types.size > 1) rows.push(row(`${set}: F1 ${type}`, mean(some.map(({ words }) => words!.f1))));
    }
  }
  if (pages.some(({ shingles }) => shingles)) rows.push(row(`${set}: 4-gram F1 article`, shingleF1(pages)));
  // A page without snippets scores as perfect.
  if (pages.some(({ wanted }) => wanted !== undefined)) {
    rows.push(row(`${set}: wanted snippets`, mean(pages.map(({ wanted }) => wanted ?? 1))));
    rows.push(row(`${set}: unwanted snippets`, mean(pages.map(({ unwanted }) => unwanted ?? 0))));
  }
  return rows;
}

/** As published for news articles: combines the mean precision of pages with output and the mean recall of all pages. */
export function shingleF1(pages: Pick<PageScore, 'answered' | 'shingles'>[]): number {
  const scored = pages.filter(({ shingles }) => shingles !== undefined);
  const answered = scored.filter((page) => page.answered);
  if (answered.length === 0) return 0;
  return harmonic(
    mean(answered.map(({ shingles }) => shingles!.precision)),
    mean(scored.map(({ shingles }) => shingles!.recall)),
  );
}

const AIM = { dense: '<= 8', raw: '<= 4' };

function costRows(
  kind: 'dense' | 'raw',
  { pages, peakMb }: ExtractorResult,
  rival: ExtractorResult | undefined,
): Row[] {
  const own = msPer100Kb(pages.map((page) => page[kind]));
  const rows: Row[] = [
    { measure: `${kind} pages: CPU per 100 KB`, value: own, unit: 'ms', aim: AIM[kind] },
    { measure: `${kind} pages: peak memory`, value: peakMb[kind], unit: 'MB', aim: '<= 150' },
  ];
  if (rival) {
    const value = msPer100Kb(rival.pages.map((page) => page[kind])) / own;
    rows.push({ measure: `${kind} pages: cheaper than ${rival.system}`, value, unit: 'times', aim: '>= 10' });
  }
  return rows;
}

function msPer100Kb(costs: Cost[]): number {
  const total = (key: keyof Cost) => costs.reduce((sum, cost) => sum + cost[key], 0);
  return total('cpuMs') / (total('bytes') / 100_000);
}

const row = (measure: string, value: number): Row => ({ measure, value, unit: '' });
