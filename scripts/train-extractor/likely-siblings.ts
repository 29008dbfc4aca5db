// Siblings that pages are likely to have. Real ones are few in the labelled sets; how often a text stands on them is measured by
// kind of page, by length, and by whether the text is content, and is then laid over other pages.
import { createDraw } from './draw.ts';
import type { ExamplePage } from './examples.ts';
import type { ReadingOf, SitePage } from './sites.ts';

type Labels = ArrayLike<number>;

/** A text of the template stands on nearly all pages of it. */
const ON_EACH = 0.9;
const SIBLINGS = [1, 2, 4, 8];
/** So many texts of all kinds of pages are added to those of one kind. */
const PRIOR = 20;

/** Not all pages, so that the real ones count as much. */
const EACH = 4;

/** Pages twice: once with a single sibling, once with several. */
export function likelySites(
  pages: readonly ExamplePage[],
  real: readonly SitePage[],
  labels: Labels,
  readingOf: ReadingOf,
): SitePage[] {
  const shareOf = measureShares(real, labels);
  return pages.flatMap((page, index) => {
    if (page.truth === '' || index % EACH !== 0) return [];
    const several = SIBLINGS[1 + ((index / EACH) % (SIBLINGS.length - 1))]!;
    return [1, several].map((count) => ({
      page,
      ...readingOf(page),
      siblings: { count, shares: likelyShares(page, count) },
    }));
  });

  function likelyShares(page: ExamplePage, count: number): Float64Array {
    const { words, hashes, firstRow, type } = page;
    return Float64Array.from(hashes, (hash, block) => {
      // The same text has the same share wherever it stands on the page.
      const draw = createDraw(hash, firstRow, count);
      if (words[block] === 0 || draw() >= shareOf(type, labels[firstRow + block]!, words[block]!)) return 0;
      let on = 0;
      for (let sibling = 0; sibling < count; sibling++) if (draw() < ON_EACH) on += 1;
      return Math.max(1, on) / count;
    });
  }
}

/** How likely a text stands on siblings. */
function measureShares(real: readonly SitePage[], labels: Labels) {
  const counted = new Map<string, { shared: number; all: number }>();
  const add = (key: string, isShared: boolean) => {
    const count = counted.get(key) ?? { shared: 0, all: 0 };
    counted.set(key, { shared: count.shared + (isShared ? 1 : 0), all: count.all + 1 });
  };
  for (const { page, siblings } of real) {
    if (page.truth === '') continue;
    for (const [block, words] of page.words.entries()) {
      if (words === 0) continue;
      const what = `${labels[page.firstRow + block]} ${lengthOf(words)}`;
      for (const type of [page.type, ANY]) add(`${type} ${what}`, siblings.shares[block]! > 0);
    }
  }
  return (type: string, label: number, words: number): number => {
    const what = `${label} ${lengthOf(words)}`;
    const any = counted.get(`${ANY} ${what}`) ?? { shared: 0, all: 1 };
    const own = counted.get(`${type} ${what}`) ?? { shared: 0, all: 0 };
    return (own.shared + (PRIOR * any.shared) / any.all) / (own.all + PRIOR);
  };
}

const ANY = 'any';
const lengthOf = (words: number): string => (words < 4 ? 'words' : words < 12 ? 'line' : 'sentences');
