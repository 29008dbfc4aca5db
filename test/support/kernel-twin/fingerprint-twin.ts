// The fingerprint as the kernel has to compute it, in TypeScript and with regular expressions.

import type { HtmlTree } from '../../../src/markup/html/html-tree.ts';
import type { TextFingerprint } from '../../../src/page/page.ts';
import type { Fingerprinter } from '../../../src/transform/fingerprint/fingerprint.ts';
import { pageText, shownFiles } from '../../../src/transform/fingerprint/page-text.ts';
import { createDateFolding } from './date-folding.ts';
import { createWordReader, hashWhole, mix, stepHigh, stepLow } from './hashed-words.ts';
import { createTermSet } from './term-set.ts';

const MAX_TEXT = 200_000;
// Pages with fewer words, as in a gallery, are also identified by the files they show.
const FEW_WORDS = 20;

export function createFingerprinterTwin(): Fingerprinter {
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
