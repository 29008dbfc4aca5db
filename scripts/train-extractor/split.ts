// Which pages may be trained on when a fold is validated.
import type { ExamplePage } from './examples.ts';
import { findOverlap, fingerprintOf, foldOf, halfOf } from './folds.ts';

export interface Split {
  readonly folds: number;
  /** The fold in which each page is validated. */
  readonly fold: Uint8Array;
  /** For each fold, 1 for the pages that its model may train on. */
  readonly training: readonly Uint8Array[];
  /** For the final fit. */
  readonly allowed: Uint8Array;
  readonly overlaps: readonly { byAddress: number; byText: number }[];
}

/** Half of the pages of magic-html is never trained on: it is the only measure for Chinese pages. */
export const isHeldBack = ({ set, domain }: ExamplePage): boolean => set.startsWith('magic') && halfOf(domain) === 'B';

export function splitPages(pages: readonly ExamplePage[], folds: number): Split {
  const fold = Uint8Array.from(pages, ({ domain }) => foldOf(domain, folds));
  const fingerprints = pages.map(({ url, truth }) => fingerprintOf(url, truth));
  const withoutOverlap = (isTraining: (i: number) => boolean, isValidation: (i: number) => boolean) => {
    const numbers = [...pages.keys()];
    const training = numbers.filter(isTraining);
    const validation = numbers.filter((i) => isValidation(i) && !isTraining(i));
    const fingerprintOf = (i: number) => fingerprints[i]!;
    const { overlapping, byAddress, byText } = findOverlap(training.map(fingerprintOf), validation.map(fingerprintOf));
    const kept = new Uint8Array(pages.length);
    for (const [k, i] of training.entries()) kept[i] = overlapping[k] ? 0 : 1;
    return { kept, byAddress, byText };
  };
  const held = pages.map(isHeldBack);
  const parts = Array.from({ length: folds }, (_, k) =>
    withoutOverlap(
      (i) => fold[i] !== k && !held[i],
      (i) => fold[i] === k,
    ),
  );
  const all = withoutOverlap(
    (i) => !held[i],
    (i) => held[i]!,
  );
  return {
    folds,
    fold,
    training: parts.map(({ kept }) => kept),
    allowed: all.kept,
    overlaps: [...parts, all].map(({ byAddress, byText }) => ({ byAddress, byText })),
  };
}
