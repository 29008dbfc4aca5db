// Compares findings with labels by letters and digits: blanks and punctuation between the parts of an address do not count.
import type { RedactedEntity } from '../../src/contracts/scrape/redaction.ts';
import type { Finding } from '../../src/redact/finding.ts';
import type { LabelledPage } from './labelled-page.ts';

export interface Mistake {
  kind: 'missed' | 'false alarm';
  entity: RedactedEntity;
  start: number;
  end: number;
  rule?: string;
}

export interface Score {
  /** Returns labels that were found in part at most, and findings that touch no label of their entity. */
  add(page: LabelledPage, found: readonly Finding[]): Mistake[];
  of(entity: RedactedEntity): { precision: number; recall: number; f1: number; falseAlarmsPer100Pages: number };
}

interface Counts {
  labelled: number;
  found: number;
  both: number;
  falseAlarms: number;
}

type Span = { start: number; end: number };

export function createScore(): Score {
  const counts = new Map<RedactedEntity, Counts>();
  let pages = 0;
  const countsOf = (entity: RedactedEntity): Counts => {
    const known = counts.get(entity) ?? { labelled: 0, found: 0, both: 0, falseAlarms: 0 };
    counts.set(entity, known);
    return known;
  };
  return {
    add({ text, labels }, found) {
      pages++;
      const mistakes: Mistake[] = [];
      const size = ({ start, end }: Span) => text.slice(start, end).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
      const common = (a: Span, spans: readonly Span[]) =>
        spans.reduce((sum, b) => {
          const shared = { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
          return shared.start < shared.end ? sum + size(shared) : sum;
        }, 0);
      for (const label of labels) {
        const covered = common(
          label,
          found.filter(({ entity }) => entity === label.entity),
        );
        countsOf(label.entity).labelled += size(label);
        countsOf(label.entity).both += covered;
        if (covered < size(label)) mistakes.push({ kind: 'missed', ...label });
      }
      for (const { start, end, entity, rule } of found) {
        countsOf(entity).found += size({ start, end });
        if (
          common(
            { start, end },
            labels.filter((label) => label.entity === entity),
          ) > 0
        )
          continue;
        countsOf(entity).falseAlarms++;
        mistakes.push({ kind: 'false alarm', start, end, entity, rule });
      }
      return mistakes;
    },
    of(entity) {
      const { labelled, found, both, falseAlarms } = countsOf(entity);
      const precision = found === 0 ? 100 : (100 * both) / found;
      const recall = labelled === 0 ? 100 : (100 * both) / labelled;
      const f1 = both === 0 ? 0 : (2 * precision * recall) / (precision + recall);
      return { precision, recall, f1, falseAlarmsPer100Pages: (100 * falseAlarms) / pages };
    },
  };
}
