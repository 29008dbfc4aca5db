// "Ages: 18+" in an element that is called `ages`, or for a field of that name.
import { namedBy, nameWords } from './field-names.ts';
import type { RequestedField } from './ranked.ts';
import type { NamedValues, RawValue } from './scope.ts';

const MAX_TEXT = 200;

export function withoutLabel(raw: RawValue, named: NamedValues, { name }: RequestedField): RawValue {
  if (typeof raw.value !== 'string' || raw.value.length > MAX_TEXT) return raw;
  const match = /^([\p{L}\s-]{2,40}?)(?::\s*|\s+)(?=\S)/u.exec(raw.value);
  if (!match) return raw;
  const label = nameWords(match[1]!);
  const isLabel =
    label.length > 0 &&
    label.every((word) => named.name.words.includes(word) || name.words.includes(word)) &&
    (match[0].includes(':') || namedBy(label).concepts.size > 0);
  return isLabel ? { ...raw, value: raw.value.slice(match[0].length) } : raw;
}
