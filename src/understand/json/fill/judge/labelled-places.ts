// Values behind labels in the text whose words are all the field's: those of its name, or of its description.
import { labelledParts } from '../../../../text/labels/labelled-parts.ts';
import type { Range } from '../../../reading/readable-text.ts';
import { nameStems } from '../field-names.ts';
import { coverage, type MatchedPlace, type TellingWords } from './telling-words.ts';

export interface LabelledPlace extends Range {
  stems: ReadonlySet<string>;
}

const MAX_LABELS = 1_000;
const MAX_DESCRIPTION = 200;

export function labelledPlaces(text: string): LabelledPlace[] {
  const found: LabelledPlace[] = [];
  for (let from = 0; from < text.length && found.length < MAX_LABELS; ) {
    const next = text.indexOf('\n', from);
    const end = next === -1 ? text.length : next;
    for (const part of labelledParts(text.slice(from, end)))
      found.push({ stems: new Set(nameStems(part.label)), start: from + part.start, end: from + part.end });
    from = end + 1;
  }
  return found;
}

export function placesOfLabel(
  { all, own }: TellingWords,
  description: string,
  labels: readonly LabelledPlace[],
): MatchedPlace[] {
  if (own.length === 0) return [];
  const words = new Set([...all, ...nameStems(description.slice(0, MAX_DESCRIPTION))]);
  return labels.flatMap(({ stems, start, end }) => {
    const isOwn = stems.size > 0 && [...stems].every((stem) => words.has(stem));
    if (!isOwn || coverage(own, stems) < 1) return [];
    return [{ start, end, match: 0.6 + 0.4 * coverage(all, stems) }];
  });
}
