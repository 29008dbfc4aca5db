// A page's text as three small numbers by which a crawl knows it again: the same text, the same but for its dates, or
// nearly the same words. They depend on the page alone, whatever formats were asked for.
import type { TextFingerprint } from '../../contracts/page.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { createDateFolding } from './date-folding.ts';
import { createWordReader, hashWhole, mix, stepHigh, stepLow } from './hashed-words.ts';
import { pageText, shownFiles } from './page-text.ts';
import { createTermSet } from './term-set.ts';

/** Its memory is used again for each text. */
export interface Fingerprinter {
  ofPage(tree: HtmlTree): TextFingerprint;
  ofText(text: string): TextFingerprint;
}

const MAX_TEXT = 200_000;
// A page with no more to say, such as one of a gallery, is told by what it shows.
const FEW_WORDS = 20;

export function createFingerprinter(): Fingerprinter {
  const terms = createTermSet();
  const folding = createDateFolding(terms);
  let exactLow = 0;
  let exactHigh = 0;
  let words = 0;

  const takeIn = (low: number, high: number) => {
    exactLow = stepLow(exactLow, low);
    exactHigh = stepHigh(exactHigh, high);
  };
  const readWords = createWordReader(MAX_TEXT, {
    word(low, high, sense) {
      words += 1;
      takeIn(low, high);
      folding.word(low, high, sense);
    },
    sign: (code) => takeIn(code, code),
  });

  function readFile(name: string): void {
    const [low, high] = hashWhole(name);
    takeIn(low, high);
    terms.add(low, high);
  }

  function print(text: string, tree?: HtmlTree): TextFingerprint {
    terms.clear();
    folding.start();
    exactLow = exactHigh = words = 0;
    readWords(text);
    if (tree && words < FEW_WORDS) for (const name of shownFiles(tree)) readFile(name);
    folding.finish();
    return {
      exact: hex(mix(exactLow), mix(exactHigh)),
      gist: hex(...terms.gist()),
      simhash: hex(...terms.simhash()),
    };
  }

  return {
    ofPage: (tree) => print(pageText(tree, MAX_TEXT), tree),
    ofText: (text) => print(text),
  };
}

const hex = (low: number, high: number): string => half(high) + half(low);
const half = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
