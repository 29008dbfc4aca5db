// `npm run bench -- structure`: how much of the structure of labelled pages reaches the Markdown: code and its language,
// formulas, tables, headings, list items. Each page is NAME.html beside its label NAME.md; half of them are held out.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createExtractor } from '../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../src/transform/pipeline.ts';
import { createJudge } from '../../src/transform/verdict/judge.ts';
import { type BenchOptions, RESULTS, type Row } from '../report.ts';
import { createStructureReader } from './read-structure.ts';
import { MEASURES, type Measure, type Score, scoreStructure } from './score-structure.ts';
import { checkScores } from './self-check.ts';

const PAGES = join(import.meta.dirname, 'pages');
const HALVES = ['open', 'held-out'] as const;
type Half = (typeof HALVES)[number];
const SHOWN = 15;
const AIM = '> 95';

interface PageScore {
  name: string;
  measure: Measure;
  share: number;
}

/** `--only open` or `held-out` for one half; single results of the held-out half only with `--show-held-out`. */
export async function structure({ only, showHeldOut }: BenchOptions): Promise<Row[]> {
  const read = createStructureReader();
  const write = createMarkdownWriter();
  const rows: Row[] = [];
  for (const half of HALVES) {
    if (only !== undefined && only !== half) continue;
    const names = namesIn(half);
    checkScores(names.map((name) => read(readFileSync(join(PAGES, half, `${name}.md`), 'utf8'))));
    const sums = new Map<Measure, Score>(MEASURES.map((measure) => [measure, { points: 0, weight: 0 }]));
    const worst: PageScore[] = [];
    for (const name of names) {
      const markdown = write(`https://${name}.example/page`, readFileSync(join(PAGES, half, `${name}.html`)));
      if (half === 'open' || showHeldOut) keepAnswer(half, name, markdown);
      const scores = scoreStructure(read(readFileSync(join(PAGES, half, `${name}.md`), 'utf8')), read(markdown));
      for (const measure of MEASURES) {
        const { points, weight } = scores[measure];
        sums.get(measure)!.points += points;
        sums.get(measure)!.weight += weight;
        if (weight > 0) worst.push({ name, measure, share: points / weight });
      }
    }
    if (half === 'open' || showHeldOut) printWorst(half, worst);
    rows.push(...rowsOf(half, names.length, sums));
  }
  return rows;
}

const namesIn = (half: Half): string[] =>
  readdirSync(join(PAGES, half))
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.slice(0, -'.html'.length))
    .sort();

/** A page to Markdown as a scrape does it, main content and all. */
function createMarkdownWriter(): (url: string, bytes: Uint8Array) => string {
  const pipeline = createPipeline({ judge: createJudge(), extract: createExtractor(loadModel()) });
  return (finalUrl, bytes) => {
    const { content } = pipeline({
      page: { finalUrl, status: 200, headers: {}, contentType: 'text/html; charset=utf-8', bytes, fetchedAt: 1 },
      options: {
        ...{ formats: ['markdown'], onlyMainContent: true, includeTags: [], excludeTags: [], blockAds: true },
        removeBase64Images: true,
      },
    });
    return content.markdown ?? '';
  };
}

function keepAnswer(half: Half, name: string, markdown: string): void {
  const folder = join(RESULTS, 'structure', half);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), `${markdown}\n`);
}

function printWorst(half: Half, scores: readonly PageScore[]): void {
  const worst = scores.filter(({ share }) => share < 1).sort((a, b) => a.share - b.share);
  console.log(`\nWorst of ${half}, beside their labels in bench/structure/pages/${half}:`);
  for (const { name, measure, share } of worst.slice(0, SHOWN)) {
    console.log(`  ${(100 * share).toFixed(0).padStart(3)} %  ${measure.padEnd(15)} ${name}`);
  }
}

function rowsOf(half: Half, pages: number, sums: ReadonlyMap<Measure, Score>): Row[] {
  const rows = [...sums].map(([measure, { points, weight }]): Row => {
    return { system: half, measure, value: (100 * points) / weight, unit: '%', aim: AIM };
  });
  return [{ system: half, measure: 'pages', value: pages, unit: '' }, ...rows];
}
