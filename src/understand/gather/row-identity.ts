// Which rows of lists on different pages are the same thing.
import { foldLatin } from '../../text/words/fold-letters.ts';

export type ListRow = Record<string, unknown>;

/** Fields whose values belong to one thing only. */
const UNIQUE =
  /^(?:id|sku|url|link|href|website|email|e_?mail|isbn|ean|gtin|mpn|doi|uuid|slug|code|articlenumber|productid)$/i;
const NAME = /^(?:name|title|fullname|full_name|headline|label|productname|item|option)$/i;

export const isRow = (value: unknown): value is ListRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts are compared without case, accents and punctuation. */
export function comparable(value: unknown): string {
  if (typeof value === 'string') {
    return foldLatin(value.trim().toLowerCase())
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  }
  return JSON.stringify(value) ?? '';
}

/** What the row is called: the field that is named so, or else its first text. */
export function nameOf(row: ListRow): string | undefined {
  const entries = Object.entries(row).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const [, name] =
    entries.find(([key]) => NAME.test(key)) ?? entries.find(([key]) => !UNIQUE.test(key)) ?? entries[0] ?? [];
  return name as string | undefined;
}

/** Two rows are the same if something unique says so, or if they have the same name and nothing that contradicts it. */
export function isSameRow(a: ListRow, b: ListRow): boolean {
  const shared = Object.keys(a).filter((key) => isFilled(a[key]) && isFilled(b[key]));
  const unique = shared.filter((key) => UNIQUE.test(key));
  if (unique.length > 0) {
    // Many rows share a code or the address of their list.
    const isEqual = unique.some((key) => comparable(a[key]) === comparable(b[key]));
    if (isEqual && haveSameName(a, b)) return true;
    if (!isEqual) return false;
  }
  return haveSameName(a, b) && shared.every((key) => comparable(a[key]) === comparable(b[key]));
}

function haveSameName(a: ListRow, b: ListRow): boolean {
  const [one, other] = [nameOf(a), nameOf(b)];
  return one !== undefined && other !== undefined && comparable(one) === comparable(other);
}

export const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The share of the wanted fields that a row has. */
export const filledShare = (row: ListRow, fields: readonly string[]): number =>
  fields.length === 0 ? 1 : fields.filter((name) => isFilled(row[name])).length / fields.length;
