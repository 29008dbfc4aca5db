// Turns the results of single pages into the figures of an extractor: quality by set and page type, and cost.
import type { LabelledPage } from '../../scripts/labelled/pages.ts';
import { gramScore, harmonic, mean, type Score, wordScore } from '../../scripts/labelled/score.ts';
import type { Row } from '../report.ts';
import { plainText, snippetShare, withoutTitle } from './extract-score.ts';

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
  /** Without the leading h1: some truths contain the title and some do not. */
  untitledShingles: Score | undefined;
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
  const isArticle = truth !== '' && type === 'article';
  return {
    set,
    position,
    id,
    type,
    url,
    answered: text.trim() !== '',
    words: truth ? wordScore(text, truth) : undefined,
    shingles: isArticle ? gramScore(text, truth) : undefined,
    untitledShingles: isArticle ? gramScore(plainText(withoutTitle(markdown)), truth) : undefined,
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
  const scored = pages.filter(({ words }) => words !== undefined);
  const types = [...Map.groupBy(scored, ({ type }) => type)].sort(([a], [b]) => a.localeCompare(b));
  const rows = scored.length > 0 ? scoreRows(set, meanScore(scored.map(({ words }) => words!))) : [];
  for (const [type, some] of types) {
    if (types.length > 1) rows.push(...scoreRows(`${set}, ${type}`, meanScore(some.map(({ words }) => words!))));
  }
  if (pages.some(({ shingles }) => shingles)) {
    rows.push(...scoreRows(`${set}, article, 4-gram`, shingleScore(pages, 'shingles')));
    rows.push(...scoreRows(`${set}, article, 4-gram without h1`, shingleScore(pages, 'untitledShingles')));
  }
  // A page without snippets scores as perfect.
  if (pages.some(({ wanted }) => wanted !== undefined)) {
    rows.push(row(`${set}: wanted snippets`, mean(pages.map(({ wanted }) => wanted ?? 1))));
    rows.push(row(`${set}: unwanted snippets`, mean(pages.map(({ unwanted }) => unwanted ?? 0))));
  }
  return rows;
}

const scoreRows = (name: string, { precision, recall, f1 }: Score): Row[] => [
  row(`${name}: F1`, f1),
  row(`${name}: precision`, precision),
  row(`${name}: recall`, recall),
];

/** The means over the pages. */
const meanScore = (scores: Score[]): Score => ({
  precision: mean(scores.map(({ precision }) => precision)),
  recall: mean(scores.map(({ recall }) => recall)),
  f1: mean(scores.map(({ f1 }) => f1)),
});

/** As published for news articles: combines the mean precision of pages with output and the mean recall of all pages. */
export function shingleScore<Key extends 'shingles' | 'untitledShingles'>(
  pages: Pick<PageScore, 'answered' | Key>[],
  key: Key,
): Score {
  const scored = pages.filter((page) => page[key] !== undefined);
  const precision = mean(scored.filter(({ answered }) => answered).map((page) => page[key]!.precision));
  const recall = mean(scored.map((page) => page[key]!.recall));
  return { precision, recall, f1: harmonic(precision, recall) };
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
