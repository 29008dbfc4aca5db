// What redaction finds on labelled pages: precision, recall and F1 by entity and mode, false alarms, and speed. Without a
// folder, on the project's own pages: `open` are those that the rules may be tuned on, `held-out` are not.
import type { RedactedEntity, RedactionMode } from '../../src/contracts/scrape/redaction.ts';
import { REDACTED_ENTITIES, REDACTION_MODES } from '../../src/contracts/scrape/redaction.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { loadTokenClassifier, type TokenClassifier } from '../../src/encoders/names/token-classifier.ts';
import type { Finding } from '../../src/redact/finding.ts';
import { findInMarkdown, sentencesOf } from '../../src/redact/page/redact-page.ts';
import type { BenchOptions, Row } from '../report.ts';
import { folderPages, type LabelledPage, templatePages } from './labelled-page.ts';
import { createScore, type Score } from './score.ts';

const AIMS: Partial<Record<string, string>> = {
  'EMAIL F1': '>= 99',
  'FINANCIAL F1': '>= 95',
  'PHONE F1': '>= 90',
  'SECRET recall': '>= 90',
  'SECRET false alarms': '<= 1',
  'PERSON F1': '>= 88 (accurate)',
  'LOCATION F1': '>= 78 (accurate)',
};

/** `only` names an entity whose mistakes are printed, except those on held-out pages. */
export async function pii({ folder, count, only }: BenchOptions): Promise<Row[]> {
  const problem = runtimeProblem();
  if (problem !== undefined) console.error(`Without the classifier, persons and places are left out: ${problem}`);
  const classifier = problem === undefined ? await loadTokenClassifier() : undefined;
  if (folder !== undefined) return measureSet('', folderPages(folder), classifier, only);
  const halves = ['open', 'held-out'] as const;
  const rows: Row[] = [];
  for (const half of halves) {
    const shown = half === 'open' ? only : undefined;
    rows.push(...(await measureSet(`${half} `, templatePages(half, count), classifier, shown)));
  }
  return rows;
}

async function measureSet(
  prefix: string,
  pages: LabelledPage[],
  classifier: TokenClassifier | undefined,
  only: string | undefined,
): Promise<Row[]> {
  const rows: Row[] = [];
  const characters = pages.reduce((sum, { text }) => sum + text.length, 0);
  for (const mode of REDACTION_MODES) {
    const score = createScore();
    const before = process.cpuUsage();
    const found: Finding[][] = [];
    for (const page of pages) found.push(await findAll(page, mode, classifier));
    const { user, system } = process.cpuUsage(before);
    for (const [index, page] of pages.entries()) {
      const mistakes = score.add(page, found[index]!);
      if (mode === 'accurate' || !classifier) printMistakes(mode, page, mistakes, only);
    }
    const entities = REDACTED_ENTITIES.filter((entity) => classifier || mode === 'fast' || !isName(entity));
    rows.push(...entities.flatMap((entity) => rowsOf(prefix, mode, entity, score)));
    const perSecond = (characters / (user + system)) * 1e6;
    rows.push({
      measure: `${prefix}characters per CPU-second`,
      value: Math.round(perSecond),
      unit: '1/s',
      system: mode,
    });
  }
  return [{ measure: `${prefix}pages`, value: pages.length, unit: 'pages', system: 'fast' }, ...rows];
}

const isName = (entity: RedactedEntity): boolean => entity === 'PERSON' || entity === 'LOCATION';

async function findAll(page: LabelledPage, mode: RedactionMode, classifier?: TokenClassifier): Promise<Finding[]> {
  const options = { mode, replaceStyle: 'tag' as const };
  const source = { url: '', markdown: page.text, language: page.language };
  const whole = { content: {}, metadata: {}, warnings: [], source };
  const spans = mode === 'fast' || !classifier ? [] : await classifier.find(sentencesOf(whole), mode);
  return findInMarkdown(whole, options, spans);
}

function rowsOf(prefix: string, mode: RedactionMode, entity: RedactedEntity, score: Score): Row[] {
  const { precision, recall, f1, falseAlarmsPer100Pages } = score.of(entity);
  const row = (name: string, value: number, unit: string): Row => {
    const aim = AIMS[`${entity} ${name}`];
    return { measure: `${prefix}${entity} ${name}`, value, unit, system: mode, ...(aim && { aim }) };
  };
  const rows = [row('precision', precision, '%'), row('recall', recall, '%'), row('F1', f1, '%')];
  if (entity === 'SECRET') rows.push(row('false alarms', falseAlarmsPer100Pages, 'per 100 pages'));
  return rows;
}

function printMistakes(mode: string, page: LabelledPage, mistakes: ReturnType<Score['add']>, only?: string): void {
  for (const { kind, entity, start, end, rule } of mistakes) {
    if (entity !== only) continue;
    const context = `${page.text.slice(Math.max(0, start - 30), start)}[${page.text.slice(start, end)}]${page.text.slice(end, end + 15)}`;
    console.log(`${mode} ${page.name} ${kind}${rule ? ` by ${rule}` : ''}: ${JSON.stringify(context)}`);
  }
}
