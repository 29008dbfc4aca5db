// The scores must be able to fail: a label against itself is perfect, and each kind of damage lowers its own measure.
import assert from 'node:assert/strict';
import type { PageStructure } from './read-structure.ts';
import { type Measure, type Score, scoreStructure } from './score-structure.ts';

type Damage = (label: PageStructure) => PageStructure;

const withoutFirst = <Item>(items: readonly Item[]): Item[] => items.slice(1);
const DAMAGE: Record<Measure, Damage[]> = {
  code: [
    (label) => ({ ...label, listings: withoutFirst(label.listings) }),
    (label) => ({ ...label, listings: label.listings.map((each) => ({ ...each, text: `1 ${each.text}` })) }),
  ],
  'code languages': [(label) => ({ ...label, listings: label.listings.map((each) => ({ ...each, language: 'x' })) })],
  'code spans': [(label) => ({ ...label, codeSpans: withoutFirst(label.codeSpans) })],
  formulas: [
    (label) => ({ ...label, formulas: withoutFirst(label.formulas) }),
    (label) => ({ ...label, formulas: label.formulas.map((tex) => `${tex} x`) }),
  ],
  tables: [
    (label) => ({ ...label, tables: withoutFirst(label.tables) }),
    (label) => ({ ...label, tables: label.tables.map((rows) => rows.map((row) => row.slice(1))) }),
    (label) => ({ ...label, tables: label.tables.map((rows) => rows.slice(1)) }),
  ],
  headings: [
    (label) => ({ ...label, headings: withoutFirst(label.headings) }),
    (label) => ({ ...label, headings: label.headings.map((each) => each.replace(/^\d/, '6')) }),
  ],
  'list items': [(label) => ({ ...label, items: label.items.map((each) => each.replace(/^\d/, '9')) })],
};

export function checkScores(labels: readonly PageStructure[]): void {
  for (const measure of Object.keys(DAMAGE) as Measure[]) {
    assert.equal(
      share(labels, measure, (label) => label),
      1,
      `${measure}: a label differs from itself.`,
    );
    for (const damage of DAMAGE[measure]) {
      assert.ok(share(labels, measure, damage) < 1, `${measure}: damage does not lower the score.`);
    }
  }
}

function share(labels: readonly PageStructure[], measure: Measure, damage: Damage): number {
  const sum: Score = { points: 0, weight: 0 };
  for (const label of labels) {
    const { points, weight } = scoreStructure(label, damage(label))[measure];
    sum.points += points;
    sum.weight += weight;
  }
  return sum.points / sum.weight;
}
