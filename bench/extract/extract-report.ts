// From single pages to the figures of an extractor: quality by set and page type, cost on dense and on raw pages.
import type { LabelledPage } from '../../scripts/labelled/pages.ts';
import { gramScore, harmonic, mean, type Score, wordScore } from '../../scripts/labelled/score.ts';
import type { Row } from '../report.ts';
import { plainText, snippetShare } from './extract-score.ts';

export interface Cost {
  bytes: number;
  cpuMs: number;
}

/** How good one page came out. */
export interface PageScore extends Pick<LabelledPage, 'set' | 'position' | 'id' | 'type' | 'url'> {
  /** Did any text come out? */
  answered: boolean;
  /** Only where the whole main content is known. */
  words: Score | undefined;
  /** Only for articles, whose order is beyond doubt. */
  shingles: Score | undefined;
  wanted: number | undefined;
  unwanted: number | undefined;
}

export interface PageResult extends PageScore {
  error: string | undefined;
  dense: Cost;
  raw: Cost;
}

/** One extractor over the whole run. */
export interface ExtractorResult {
  system: string;
  pages: PageResult[];
  /** The most memory its process had after the dense pages, and after the raw ones. */
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

/** Everything about one extractor; `rival` is the one that the cost is held against. */
export function rowsOf(measured: ExtractorResult, rival: ExtractorResult | undefined): Row[] {
  const sets = Map.groupBy(measured.pages, ({ set }) => set);
  return [
    row('pages', measured.pages.length),
    row('failed pages', measured.pages.filter(({ error }) => error !== undefined).length),
    ...[...sets].flatMap(([set, pages]) => setRows(set, pages)),
    ...(['dense', 'raw'] as const).flatMap((kind) => costRows(kind, measured, rival)),
  ].map((each) => ({ ...each, system: measured.system }));
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
  // A page without snippets has nothing that could be missing or too much.
  if (pages.some(({ wanted }) => wanted !== undefined)) {
    rows.push(row(`${set}: wanted snippets`, mean(pages.map(({ wanted }) => wanted ?? 1))));
    rows.push(row(`${set}: unwanted snippets`, mean(pages.map(({ unwanted }) => unwanted ?? 0))));
  }
  return rows;
}

/** As published for news articles: mean precision of the pages with any output and mean recall of all, joined at the end. */
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
