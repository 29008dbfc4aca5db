// How many fields of the labelled pages the format `json` gets right, and the CPU time that it takes.
import { carriedSource } from '../../src/page/understanding.ts';
import { OWN_WORK } from '../../src/runtime/gate/gate.ts';
import type { Understander } from '../../src/understand/understander.ts';
import type { Row } from '../report.ts';
import type { LabelledPage } from './labelled-page.ts';
import { createSourceReader } from './read-source.ts';
import { type FieldScore, scoreFields } from './score-fields.ts';

const AIMS = { jsonLd: '98', elsewhere: '65' };
const ASKER = { asker: OWN_WORK, isPrivate: false };

interface ScoredField extends FieldScore {
  page: LabelledPage;
  isInJsonLd: boolean;
}

export async function measureJson(
  pages: readonly LabelledPage[],
  understander: Understander,
  half: string,
  confidence?: number,
): Promise<{ rows: Row[]; mistakes: string[] }> {
  const readSource = createSourceReader();
  const fields: ScoredField[] = [];
  let cpuMs = 0;
  for (const page of pages) {
    const source = carriedSource(readSource(page));
    const before = process.cpuUsage();
    const made = await understander.make(
      source,
      [
        {
          type: 'json',
          schema: page.schema as Record<string, unknown>,
          ...(confidence !== undefined && { confidence }),
        },
      ],
      ASKER,
      AbortSignal.timeout(600_000),
    );
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / 1000;
    for (const score of scoreFields(page.expected, made.content.json)) {
      fields.push({ ...score, page, isInJsonLd: page.jsonLd.includes(score.path) });
    }
  }
  return { rows: [...rowsOf(fields, half), cpuRow(cpuMs / pages.length, half)], mistakes: mistakesOf(fields) };
}

function rowsOf(fields: readonly ScoredField[], half: string): Row[] {
  const stated = fields.filter(({ isUnstated }) => !isUnstated);
  const unstated = fields.filter(({ isUnstated }) => isUnstated);
  const elsewhere = stated.filter(({ isInJsonLd }) => !isInJsonLd);
  const kinds = [...Map.groupBy(elsewhere, ({ page }) => page.kind)];
  const row = (measure: string, some: readonly ScoredField[], aim?: string): Row => ({
    measure: `${half}: ${measure} (${some.length})`,
    value: percentRight(some),
    unit: '%',
    ...(aim && { aim }),
  });
  return [
    row(
      'fields that JSON-LD has',
      stated.filter(({ isInJsonLd }) => isInJsonLd),
      AIMS.jsonLd,
    ),
    row('fields elsewhere', elsewhere, AIMS.elsewhere),
    ...kinds.map(([kind, some]) => row(`fields elsewhere, ${kind}s`, some)),
    { ...row('given, of fields elsewhere', elsewhere), value: percentOf(elsewhere.filter(isGiven), elsewhere) },
    row('right, of those given', elsewhere.filter(isGiven)),
    { ...row('invented where the page says nothing', unstated, '0'), value: 100 - percentRight(unstated) },
  ];
}

const percentRight = (fields: readonly FieldScore[]): number =>
  (100 * fields.reduce((sum, { right }) => sum + right, 0)) / Math.max(1, fields.length);

const isGiven = ({ actual }: FieldScore): boolean =>
  Array.isArray(actual) ? actual.length > 0 : actual !== undefined && actual !== null && actual !== '';
const percentOf = (part: readonly FieldScore[], whole: readonly FieldScore[]): number =>
  (100 * part.length) / Math.max(1, whole.length);

const cpuRow = (ms: number, half: string): Row => ({ measure: `${half}: CPU of json per page`, value: ms, unit: 'ms' });

const mistakesOf = (fields: readonly ScoredField[]): string[] =>
  fields
    .filter(({ right }) => right < 1)
    .map(({ page, path, expected, actual }) =>
      JSON.stringify({ template: page.template, url: page.url, path, expected, actual }),
    );
