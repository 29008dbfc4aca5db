// The labels in a line of text and what each of them says: "Attendance: 4,812. Referee: Kim Bolt." has two.
import { eachSentence } from '../passages/sentences.ts';

export interface LabelledPart {
  label: string;
  /** Where the label begins. */
  at: number;
  /** The value: UTF-16 offsets into the line. */
  start: number;
  end: number;
}

const MAX_LINE = 2_000;
const WORD = /\p{L}[\p{L}\p{N}.'’/&()-]{0,30}/u.source;
/**
 * A label begins a sentence or a part of one, or is set off from a number or a number with its unit by a capital letter:
 * flat texts have several labels in a row.
 */
const LABEL = new RegExp(
  `(?:(?:^|[|•·‧;,][ \\t]{0,3})|\\d[^\\s\\p{L}]{0,12}(?:[ \\t]?\\p{Ll}{1,12})?[ \\t]{1,3}(?=\\p{Lu}))(${WORD}(?: ${WORD}){0,4})(?<!\\d) ?[:：][ \\t]*(?![:/\\s])(?=\\S)`,
  'gu',
);
const VALUE_END = /[\s|•·‧;,.]+$/u;

export function labelledParts(line: string): LabelledPart[] {
  if (line.length > MAX_LINE || !/[:：]/.test(line)) return [];
  const parts: LabelledPart[] = [];
  eachSentence(line, (from, to) => {
    const sentence = line.slice(from, to);
    const labels = [...sentence.matchAll(LABEL)].map((match) => ({
      label: match[1]!,
      at: from + match.index + match[0].indexOf(match[1]!),
      start: from + match.index + match[0].length,
    }));
    for (const [order, found] of labels.entries()) {
      const whole = line.slice(found.start, labels[order + 1]?.at ?? to);
      const end = found.start + whole.replace(VALUE_END, '').length;
      if (end > found.start) parts.push({ ...found, end });
    }
  });
  return parts;
}
