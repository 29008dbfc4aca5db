// Text that is unique to a page: the same name always gives the same words.
import { createDice, paragraph } from './words.ts';

const PARAGRAPHS = 3;

export function textOf(name: string): string {
  let seed = 0;
  for (const character of name) seed = (Math.imul(seed, 31) + character.codePointAt(0)!) >>> 0;
  const dice = createDice(seed);
  return Array.from({ length: PARAGRAPHS }, () => `<p>${paragraph(dice)}</p>`).join('');
}
