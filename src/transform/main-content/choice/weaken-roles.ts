// What a page leaves out although it reads like content: captions and pointers to other articles in an article,
// signatures in a forum, and the comments below an article.
import { type BlockTable, ROLE } from '../blocks/block-table.ts';

// The factor for the role on a page that is surely of the type.
const REMAINDER = 0.1;
// If more of the expected content has the role, the name means something else here.
const MISNAMED_SHARE = 0.3;
const SURELY_ARTICLE = 0.5;
// Comments go once this many expected words of content stand outside them ...
const ENOUGH_WORDS = 300;
// ... unless as many as this stand inside before: then the name describes the article, as in `main.has-comments`.
const MISNAMED_WORDS = 50;

/** The more likely the page is of a type that leaves this role out, the less its blocks count. */
export function weakenRole(table: BlockTable, role: number, probability: Float64Array, pType: number): void {
  if (expectedShare(table, role, probability) > MISNAMED_SHARE) return;
  multiply(table, role, probability, 1 - (1 - REMAINDER) * pType);
}

/** Only on articles: comments are the content of forums, and of pages with little else. */
export function weakenComments(table: BlockTable, probability: Float64Array, pArticle: number): void {
  if (pArticle > SURELY_ARTICLE && hasArticleBeforeComments(table, probability)) {
    multiply(table, ROLE.comment, probability, REMAINDER);
  }
}

function multiply({ roles }: BlockTable, role: number, probability: Float64Array, factor: number): void {
  for (let index = 0; index < roles.length; index++) {
    if ((roles[index]! & role) !== 0) probability[index]! *= factor;
  }
}

function expectedShare({ words, roles }: BlockTable, role: number, probability: Float64Array): number {
  let inside = 0;
  let all = 0;
  for (let index = 0; index < words.length; index++) {
    const expected = words[index]! * probability[index]!;
    all += expected;
    if ((roles[index]! & role) !== 0) inside += expected;
  }
  return all === 0 ? 0 : inside / all;
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
