// Checks that what a model says about a page stands on it.
import type { PageText } from '../../page/understanding.ts';
import { folded } from './item-values.ts';

/** Compares letters and digits; case, accents and punctuation do not matter. */
export function standsOnPage({ markdown, title }: PageText): (text: string) => boolean {
  const page = ` ${folded(`${title ?? ''}\n${markdown}`)} `;
  return (text) => {
    const wanted = folded(text);
    return wanted !== '' && page.includes(` ${wanted} `);
  };
}
