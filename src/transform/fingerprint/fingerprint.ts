// The fingerprint of a page's text, by which a crawl recognises the same text, the same text with other dates, or
// nearly the same words. It depends only on the page, not on the requested formats.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { TextFingerprint } from '../../page/page.ts';
import { createDateFolding } from './date-folding.ts';
import { createWordReader, hashWhole, mix, stepHigh, stepLow } from './hashed-words.ts';
import { pageText, shownFiles } from './page-text.ts';
import { createTermSet } from './term-set.ts';

/** Reuses its memory from text to text. */
export interface Fingerprinter {
  ofPage(tree: HtmlTree): TextFingerprint;
  ofText(text: string): TextFingerprint;
}

const MAX_TEXT = 200_000;
// Pages with fewer words, as in a gallery, are also identified by the files they show.
const FEW_WORDS = 20;

export function createFingerprinter(): Fingerprinter {
  const terms = createTermSet();
  const folding = createDateFolding(terms);
  /** The two halves of the hash so far. An array, because variables with numbers of this size are objects to V8. */
  const exact = new Int32Array(2);
  let words = 0;

  const addToExact = (low: number, high: number) => {
    exact[0] = stepLow(exact[0]!, low);
    exact[1] = stepHigh(exact[1]!, high);
  };
  const readWords = createWordReader(MAX_TEXT, {
    word(low, high, sense) {
      words += 1;
      addToExact(low, high);
      folding.word(low, high, sense);
    },
    sign: (code) => addToExact(code, code),
  });

  function readFile(name: string): void {
    const [low, high] = hashWhole(name);
    addToExact(low, high);
    terms.add(low, high);
  }

  function fingerprint(text: string, tree?: HtmlTree): TextFingerprint {
    terms.clear();
    folding.start();
    exact.fill(0);
    words = 0;
    readWords(text);
    if (tree && words < FEW_WORDS) for (const name of shownFiles(tree)) readFile(name);
    folding.finish();
    return {
      exact: hex(mix(exact[0]!), mix(exact[1]!)),
      gist: hex(...terms.gist()),
      simhash: hex(...terms.simhash()),
    };
  }

  return {
    ofPage: (tree) => fingerprint(pageText(tree, MAX_TEXT), tree),
    ofText: (text) => fingerprint(text),
  };
}

const hex = (low: number, high: number): string => half(high) + half(low);
const half = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
