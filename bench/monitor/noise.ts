// `npm run bench -- noise`: pairs of page versions, half with only noise, half with a real change: how many are judged wrong.
// Half of them are held out.
import {
  compareVersions,
  type VersionComparison,
  type WatchedVersion,
} from '../../src/understand/changes/compare-versions.ts';
import type { BenchOptions, Row } from '../report.ts';
import { createSourceReader } from '../understand/read-source.ts';
import { heldOutPairs } from './held-out/held-out.ts';
import { openPairs } from './open/open.ts';
import type { PagePair } from './page-pair.ts';

const HALVES = { open: openPairs, 'held-out': heldOutPairs };
type Half = keyof typeof HALVES;
const URL = 'https://watched.example/page';
/** The later of the two days that the pages show as today. */
const READ_AT = Date.UTC(2026, 1, 3, 12);
const DAY = 86_400_000;

interface Verdict {
  pair: PagePair;
  isReported: boolean;
  reason: string;
}

/** A monitor that has just begun, and one that has seen the page before. */
const LOOKS = { 'first change': false, 'after three': true };

export async function noise({ only, showHeldOut }: BenchOptions): Promise<Row[]> {
  const halves = (Object.keys(HALVES) as Half[]).filter((half) => only === undefined || only === half);
  if (halves.length === 0) throw new Error('--only takes open or held-out.');
  const readSource = createSourceReader();
  const markdownOf = (html: string): string => readSource({ url: URL, html }).markdown;
  return halves.flatMap((half) =>
    Object.entries(LOOKS).flatMap(([looks, hasHistory]) => {
      const verdicts = HALVES[half].map((pair) => judge(pair, hasHistory, markdownOf));
      const wrong = verdicts.filter(({ pair, isReported }) => pair.isReal !== isReported);
      if (half === 'open' || showHeldOut) for (const verdict of wrong) print(looks, verdict);
      return rowsOf(`${half}, ${looks}`, verdicts, wrong);
    }),
  );
}

/** As checks do, one after the other: the last one reports or not. */
function judge(pair: PagePair, hasHistory: boolean, markdownOf: (html: string) => string): Verdict {
  const looks = [...(hasHistory ? pair.earlier : []), pair.before, pair.after];
  let version: WatchedVersion | undefined;
  let last: VersionComparison | undefined;
  for (const [at, html] of looks.entries()) {
    const page = { markdown: markdownOf(html), readAt: READ_AT - (looks.length - 1 - at) * DAY };
    last = compareVersions(version, page, { by: { text: true, data: false }, isJudged: true });
    // The version of an unchanged page stays.
    if (!version || !last.isSame || last.hasLearnt) version = last.toKeep;
  }
  const { isSame, judgment } = last!;
  if (isSame) return { pair, isReported: false, reason: 'The text is the same.' };
  return { pair, isReported: judgment!.meaningful, reason: judgment!.reason };
}

function print(looks: string, { pair, reason }: Verdict): void {
  console.log(`${pair.isReal ? 'missed' : 'false alarm'}, ${looks}: ${pair.name}: ${reason}`);
}

function rowsOf(group: string, verdicts: readonly Verdict[], wrong: readonly Verdict[]): Row[] {
  const count = (isReal: boolean, of: readonly Verdict[]) => of.filter(({ pair }) => pair.isReal === isReal).length;
  const row = (measure: string, value: number): Row => ({ measure: `${group}: ${measure}`, value, unit: 'pairs' });
  return [
    { ...row(`wrong (${verdicts.length})`, wrong.length), aim: '<= 3 of 60' },
    row(`real changes missed (${count(true, verdicts)})`, count(true, wrong)),
    row(`false alarms (${count(false, verdicts)})`, count(false, wrong)),
  ];
}
