// Features of the section the block is in: what its heading announces, and how many blocks its parent has.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { FLAG } from '../blocks/block-flags.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';
import { openingOf } from './own-text.ts';

export const SECTION_FEATURES = ['section-kind', 'siblings'] as const;
const column = columnsOf(SECTION_FEATURES);

/** Longer headings are sentences, which contain these words by chance. */
const HEADING_WORDS = 12;
const HEADING_CHARS = 80;

// Higher kinds are less likely to be content; 0 is any other heading.
const KINDS: [kind: number, words: RegExp][] = [
  [
    5,
    /related|recommend|you (may|might)|also (like|bought|viewed|read)|more (from|in|on|stories|articles|posts|like)|similar|trending|popular|most read|latest|recent|read next|up next|see also|don't miss|featured|sponsored|ähnlich|weitere|mehr (zum|von|aus)|meistgelesen|das könnte|à lire|sur le même|articles? (similaires|récents|liés)|relacionad|te puede|lee también|leia (também|mais)|correlat|leggi anche|lees ook|zobacz|czytaj|читайте|похожие|相关|推荐|热门|関連|おすすめ|인기|관련/i,
  ],
  [
    4,
    /comments?|responses|replies|discussion|kommentar|commentaires|comentarios|comentários|commenti|reacties|komentarze|комментар|评论|コメント|댓글/i,
  ],
  [
    3,
    /share|follow|subscribe|newsletter|sign up|log ?in|contact|about (us|the author)|cookies?|privacy|teilen|folgen|partager|abonn|suscr|compartir|anmelden|kontakt|impressum/i,
  ],
  [
    2,
    /categor|archives?|tags?|topics|navigation|menu|search|filter|sort by|shop by|help|company|legal|links|kategorien|schlagw|archiv|catégories|categorías/i,
  ],
  [
    1,
    /description|details|specifications?|features|overview|ingredients|instructions|directions|method|summary|introduction|conclusion|key|faq|how to|what is|why|beschreibung|zutaten|zubereitung|technische|caractéristiques|descripción|características|ingredientes|商品|規格|仕様|説明/i,
  ],
];

function kindOf(heading: string): number {
  for (const [kind, words] of KINDS) if (words.test(heading)) return kind;
  return 0;
}

export class SectionFeatures implements FeatureFamily {
  readonly #tree: HtmlTree;
  readonly #blocks: Blocks;
  readonly #kind: Int8Array;

  constructor(tree: HtmlTree, blocks: Blocks) {
    const count = blocks.list.length;
    this.#tree = tree;
    this.#blocks = blocks;
    this.#kind = new Int8Array(count);
    this.#readHeadings();
  }

  #readHeadings(): void {
    const { list } = this.#blocks;
    let current = -1;
    for (let index = 0; index < list.length; index++) {
      const block = list[index]!;
      if ((block.flags & FLAG.heading) !== 0) current = headingKind(this.#tree, block);
      this.#kind[index] = current;
    }
  }

  write(index: number, row: Float32Array, at: number): void {
    const { list, firstBlock, lastBlock } = this.#blocks;
    const parent = Math.max(0, this.#tree.parent[list[index]!.container]!);
    row[at + column['section-kind']] = this.#kind[index]!;
    row[at + column.siblings] = lastBlock[parent]! - firstBlock[parent]!;
  }
}

const headingKind = (tree: HtmlTree, block: Block): number =>
  block.stats.words <= HEADING_WORDS ? kindOf(openingOf(block, tree, HEADING_CHARS)) : 0;
