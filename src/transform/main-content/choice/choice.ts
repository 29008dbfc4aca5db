// From the probabilities of the blocks to the choice: corrected for what such pages leave out, smoothed, decoded (in
// doubt a second time, with less outside the main landmark), made even, and without copies and invisible text.
import { FLAG } from '../blocks/block-flags.ts';
import { type BlockTable, ROLE } from '../blocks/block-table.ts';
import type { PageTypeOdds } from '../model/page-type.ts';
import { withDoubt } from '../siblings/template-doubt.ts';
import { completeTemplates } from './complete-templates.ts';
import { dropCopies } from './copies.ts';
import { decodeBlocks, sharpen, strictnessOf } from './decode.ts';
import { smooth } from './smooth.ts';
import { dropUnseen } from './unseen.ts';
import { weakenComments, weakenRole } from './weaken-roles.ts';

export interface Choice {
  /** 1 for each block that is content. */
  keep: Uint8Array;
  /** Expected F1 of the choice: 0 if nothing was found, near 1 for a plain article. */
  quality: number;
  /** The probability of each block after all corrections. */
  probability: Float64Array;
}

// Below this expected F1 the model hardly knows the page, so what the page says about itself counts.
const DOUBTFUL = 0.6;

/**
 * `doubt` is what siblings of the page say about its blocks. It holds for a block alone, so it is not smoothed away; in an
 * article, what stands beside template is doubted, too.
 */
export function chooseBlocks(
  table: BlockTable,
  fromModel: Float64Array,
  odds: PageTypeOdds,
  doubt?: Float64Array,
): Choice {
  const corrected = doubt
    ? withDoubt(
        fromModel,
        doubt.map((each) => each * odds.article),
      )
    : fromModel.slice();
  weakenRole(table, ROLE.caption, corrected, odds.article);
  weakenRole(table, ROLE.pointer, corrected, odds.article);
  weakenRole(table, ROLE.signature, corrected, odds.forum);
  weakenComments(table, corrected, odds.article);
  const settle = () => {
    const smoothed = smooth(corrected, table.words, table.paths);
    return doubt ? withDoubt(smoothed, doubt) : smoothed;
  };
  let probability = settle();
  const strictness = strictnessOf(odds);
  const decode = () => decodeBlocks(sharpen(probability, table.flags, strictness), table.words);
  let { keep, expectedF1 } = decode();
  if (expectedF1 < DOUBTFUL && weakenOutsideMain(table, corrected)) {
    probability = settle();
    ({ keep, expectedF1 } = decode());
  }
  completeTemplates(table, keep, doubt);
  dropCopies(table, keep);
  dropUnseen(table, keep);
  return { keep, quality: expectedF1, probability };
}

const OUTSIDE_FACTOR = 0.5;

/** Text outside what the page calls its main part counts half. Returns false if nothing is inside, or nothing outside. */
function weakenOutsideMain({ flags }: BlockTable, probability: Float64Array): boolean {
  let inside = 0;
  for (let index = 0; index < flags.length; index++) if ((flags[index]! & FLAG.main) !== 0) inside += 1;
  if (inside === 0 || inside === flags.length) return false;
  for (let index = 0; index < flags.length; index++) {
    if ((flags[index]! & FLAG.main) === 0) probability[index]! *= OUTSIDE_FACTOR;
  }
  return true;
}
