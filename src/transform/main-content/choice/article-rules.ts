// What articles leave out although it reads like content: captions of images, and comments below the text.
import { type BlockTable, ROLE } from '../blocks/block-table.ts';

const CAPTION_LOSS = 0.9;
const SURELY_ARTICLE = 0.5;
const COMMENT_FACTOR = 0.1;
// Comments go once this many expected words of content stand outside them ...
const ENOUGH_WORDS = 300;
// ... unless as many as this stand inside before: then the name describes the article, as in `main.has-comments`.
const MISNAMED_WORDS = 50;

export function weakenCaptions({ roles }: BlockTable, probability: Float64Array, pArticle: number): void {
  const factor = 1 - CAPTION_LOSS * pArticle;
  for (let index = 0; index < roles.length; index++) {
    if ((roles[index]! & ROLE.caption) !== 0) probability[index]! *= factor;
  }
}

/** Only on articles: comments are the content of forums, and of pages with little else. */
export function weakenComments(table: BlockTable, probability: Float64Array, pArticle: number): void {
  if (pArticle <= SURELY_ARTICLE || !hasArticleBeforeComments(table, probability)) return;
  for (let index = 0; index < table.roles.length; index++) {
    if ((table.roles[index]! & ROLE.comment) !== 0) probability[index]! *= COMMENT_FACTOR;
  }
}

function hasArticleBeforeComments({ words, roles }: BlockTable, probability: Float64Array): boolean {
  let outside = 0;
  let inside = 0;
  for (let index = 0; index < words.length; index++) {
    const expected = words[index]! * probability[index]!;
    if ((roles[index]! & ROLE.comment) === 0) outside += expected;
    else inside += expected;
    if (inside >= MISNAMED_WORDS) return false;
    if (outside >= ENOUGH_WORDS) return true;
  }
  return false;
}
