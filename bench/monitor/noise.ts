// `npm run bench -- noise`: pairs of page versions, half with only noise, half with a real change: how many are judged wrong.
// Half of them are held out.
import { compareTexts } from '../../src/understand/changes/compare-texts.ts';
import { judgeByRules } from '../../src/understand/changes/rules/judge-by-rules.ts';
import type { BenchOptions, Row } from '../report.ts';
import { createSourceReader } from '../understand/read-source.ts';
import { heldOutPairs } from './held-out/held-out.ts';
import { openPairs } from './open/open.ts';
import type { PagePair } from './page-pair.ts';

const HALVES = { open: openPairs, 'held-out': heldOutPairs };
type Half = keyof typeof HALVES;
const URL = 'https://watched.example/page';
/** The days that the pages show as today. */
const READ_AT = { before: Date.UTC(2026, 1, 2, 14, 10), after: Date.UTC(2026, 1, 3, 10) };

interface Verdict {
  pair: PagePair;
  isReported: boolean;
  reason: string;
}

export async function noise({ only, showHeldOut }: BenchOptions): Promise<Row[]> {
  const halves = (Object.keys(HALVES) as Half[]).filter((half) => only === undefined || only === half);
  if (halves.length === 0) throw new Error('--only takes open or held-out.');
  const readSource = createSourceReader();
  const markdownOf = (html: string): string => readSource({ url: URL, html }).markdown;
  return halves.flatMap((half) => {
    const verdicts = HALVES[half].map((pair) => judge(pair, markdownOf(pair.before), markdownOf(pair.after)));
    const wrong = verdicts.filter(({ pair, isReported }) => pair.isReal !== isReported);
    if (half === 'open' || showHeldOut) wrong.forEach(print);
    return rowsOf(half, verdicts, wrong);
  });
}

/** As a check does: what did not change in the text is not judged at all. */
function judge(pair: PagePair, before: string, after: string): Verdict {
  const { isSame } = compareTexts(compareTexts(undefined, before, false).toKeep, after, false);
  if (isSame) return { pair, isReported: false, reason: 'The text is the same.' };
  const { meaningful, reason } = judgeByRules({ markdown: { before, after }, readAt: READ_AT });
  return { pair, isReported: meaningful, reason };
}

function print({ pair, reason }: Verdict): void {
  console.log(`${pair.isReal ? 'missed' : 'false alarm'}: ${pair.name}: ${reason}`);
}

function rowsOf(half: Half, verdicts: readonly Verdict[], wrong: readonly Verdict[]): Row[] {
  const count = (isReal: boolean, of: readonly Verdict[]) => of.filter(({ pair }) => pair.isReal === isReal).length;
  const row = (measure: string, value: number): Row => ({ measure: `${half}: ${measure}`, value, unit: 'pairs' });
  return [
    { ...row(`wrong (${verdicts.length})`, wrong.length), aim: '<= 3 of 60' },
    row(`real changes missed (${count(true, verdicts)})`, count(true, wrong)),
    row(`false alarms (${count(false, verdicts)})`, count(false, wrong)),
  ];
}
