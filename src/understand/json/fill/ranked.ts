// What a scope offers for a field, the best first.
import type { Origin } from '../citations.ts';
import type { SchemaField } from '../schema/schema-field.ts';
import type { JsonSchema } from '../schema/subschemas.ts';
import type { ValueContext } from '../values/read-value.ts';
import { describes, type FieldName, nameMatch, nameWords } from './field-names.ts';
import type { Judging } from './judge/judging.ts';
import type { FillScope, NamedValues } from './scope.ts';

export const MIN_SCORE = 0.4;

export interface Filling {
  root: JsonSchema;
  context: ValueContext;
  /** By the paths of the fields. */
  origins: Record<string, Origin>;
  /** How certain a value must be, 0 to 1. */
  threshold: number;
  /** Absent in the rows of a list, which rules fill alone. */
  judging?: Judging;
  /** Fields that may still be looked at: a schema can describe more than any page has. */
  left: number;
}

/** What is asked for at one place. */
export interface RequestedField {
  field: SchemaField;
  name: FieldName;
  /** Words of the names above, for names that only say something together: `author` and `name`. */
  above: readonly string[];
  path: string;
  depth: number;
}

export interface RankedValues {
  named: NamedValues;
  score: number;
}

/** How certain rules are that choose alone: about running texts, lists, rows. The worst that they take counts as even. */
export const ruleConfidence = (score: number): number => 0.5 + (0.5 * (score - MIN_SCORE)) / (1 - MIN_SCORE);

export function ranked({ field, name, above }: RequestedField, scope: FillScope): RankedValues[] {
  const description = name.concepts.size === 0 ? wordsOf(field.words) : [];
  const found: RankedValues[] = [];
  for (const named of scope.named) {
    if (named.owner && !named.owner.some((word) => name.words.includes(word) || above.includes(word))) continue;
    let match = nameMatch(name, named.name);
    if (match < MIN_SCORE && description.length > 0 && describes(description, named.name)) match = 0.6;
    const score = match * named.weight;
    if (score >= MIN_SCORE) found.push({ named, score });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 30);
}

/** Words of a whole description, which is longer than a name. */
const wordsOf = (text: string): string[] => text.split(/[.,;:()\n]/, 2).flatMap((part) => nameWords(part));
