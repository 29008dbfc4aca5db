// What a field of a schema means: its name, the names above it, its title or description.
import type { SchemaField } from '../schema/schema-field.ts';
import { type FieldName, fieldName, namedBy, nameWords } from './field-names.ts';

/** Name of a field; if it says nothing, the name in its title or description. */
export function askedName(name: string, field: SchemaField, above: readonly string[]): FieldName {
  const called = calledName(name, field, above);
  // Pages say whether a thing can be had, not that it cannot.
  const isOpposite = called.concepts.has('soldOut') && !called.concepts.has('availability');
  return isOpposite ? { ...called, concepts: new Map([...called.concepts, ['availability', 0.9]]) } : called;
}

function calledName(name: string, field: SchemaField, above: readonly string[]): FieldName {
  const words = nameWords(name);
  const own = namedBy(words);
  if (above.length > 0) {
    const whole = namedBy([...above, ...words]);
    const isExact = [...whole.concepts.values()].some((sure) => sure >= 0.9);
    if (isExact || own.concepts.size === 0 || own.concepts.has('name')) {
      if (whole.concepts.size > 0) return whole;
    } else return { words: whole.words, concepts: new Map(scaled(own.concepts, 0.88)) };
  }
  const phrase = field.words.split(/[.,;:(\n?]|\s[-–—]\s/)[0]!;
  const head = headOf(phrase);
  if (head && ![...own.concepts.keys()].some((concept) => head.has(concept)))
    return { words, concepts: new Map([...scaled(own.concepts, 0.8), ...head]) };
  const described = fieldName(phrase);
  if ([...own.concepts.values()].some((sure) => sure >= 0.85)) return alsoCalled(own, described);
  const best = Math.max(0, ...own.concepts.values());
  const stronger = [...described.concepts].filter(([, sure]) => sure > best);
  return stronger.length > 0 ? { words, concepts: new Map(stronger) } : own;
}

const GENERIC =
  /^(?:the\s|full\s|le\s|la\s|der\s|die\s|das\s|il\s|el\s)*(?:name|nom|nombre|nome|naam|url|link|date|datum|fecha|data|time|zeit|price|preis|prix|precio|prezzo|amount|number|text|image|bild|photo|value|total|content)$/i;
const HEAD_END = /\s(?:of|for|in|on|at|where|that|which|des|der|von|für|du|de|del|della|di|van)\s|$/i;

/** "Title of the thread" is a title. Articles and adjectives of order in front say nothing. */
function headOf(phrase: string): ReadonlyMap<string, number> | undefined {
  if (GENERIC.test(phrase)) return undefined;
  const whole = [...fieldName(phrase).concepts].filter(([, sure]) => sure > 0.94);
  if (whole.length > 0) return new Map(whole.map(([concept]) => [concept, 0.95]));
  const end = phrase.search(HEAD_END);
  // The date of the last change is not any date, the name of the journalist is the journalist.
  if (GENERIC.test(phrase.slice(0, end))) return undefined;
  const exact = [...fieldName(phrase.slice(0, end)).concepts].filter(([, sure]) => sure > 0.9);
  return exact.length > 0 ? new Map(exact.map(([concept]) => [concept, 0.9])) : undefined;
}

const scaled = (concepts: ReadonlyMap<string, number>, factor: number): [string, number][] =>
  [...concepts].map(([concept, sure]) => [concept, sure * factor]);

/** A description may say more exactly what is meant, but a clear name comes first. */
function alsoCalled(own: FieldName, described: FieldName): FieldName {
  const others = [...described.concepts].filter(([concept, sure]) => sure > 0.9 && !own.concepts.has(concept));
  if (others.length === 0) return own;
  return { ...own, concepts: new Map([...own.concepts, ...others.map(([concept]) => [concept, 0.7] as const)]) };
}
