// Finds options by the words that a person types.
import type { Field, Typed } from './field.ts';

/** Whether the field, or something inside it, has every word in its name or its help text. */
export function matches(field: Field, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 || matchesWords(field, words);
}

/** Whether the field itself matches: then all of it is shown. */
export const matchesItself = (field: Field, filter: string): boolean => {
  const text = textOf(field);
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const textOf = ({ name, label, help }: Field): string => `${name} ${label} ${help}`.toLowerCase();

function matchesWords(field: Field, words: readonly string[]): boolean {
  const text = textOf(field);
  return words.every((word) => text.includes(word)) || inside(field).some((inner) => matchesWords(inner, words));
}

function inside(field: Field): readonly Field[] {
  switch (field.kind) {
    case 'object':
      return field.fields;
    case 'union':
      return field.variants;
    case 'list':
      return [field.entry];
    case 'picks':
    case 'steps':
      return field.types.flatMap(({ fields }: Typed) => fields);
    default:
      return [];
  }
}
