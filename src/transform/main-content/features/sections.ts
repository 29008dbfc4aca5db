// Features of the section the block is in: what its headings announce, and the position among its siblings.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { FLAG } from '../blocks/block-flags.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureWriter } from './feature-family.ts';
import { openingOf } from './own-text.ts';

export const SECTION_FEATURES = [
  'section-kind',
  'section-kind-above',
  'section-blocks',
  'first-in-parent',
  'sibling-position',
  'siblings',
] as const;
const column = columnsOf(SECTION_FEATURES);

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

export function createSectionFeatures(tree: HtmlTree, { list, firstBlock, lastBlock }: Blocks): FeatureWriter {
  const kind = new Int8Array(list.length).fill(-1);
  const kindAbove = new Int8Array(list.length).fill(-1);
  const since = new Int32Array(list.length);
  let current = -1;
  let above = -1;
  let level = 9;
  let from = 0;
  for (const [index, block] of list.entries()) {
    if ((block.flags & FLAG.heading) !== 0) {
      const own = block.stats.words <= 12 ? kindOf(openingOf(block, tree, HEADING_CHARS)) : 0;
      const ownLevel = tree.tag[block.container]!;
      if (ownLevel < level) above = -1;
      else if (ownLevel > level) above = current;
      current = own;
      level = ownLevel;
      from = index;
    }
    kind[index] = current;
    kindAbove[index] = above;
    since[index] = index - from;
  }
  return (index, row, at) => {
    const { container } = list[index]!;
    const parent = Math.max(0, tree.parent[container]!);
    row[at + column['section-kind']] = kind[index]!;
    row[at + column['section-kind-above']] = kindAbove[index]!;
    row[at + column['section-blocks']] = since[index]!;
    row[at + column['first-in-parent']] = firstBlock[parent] === index ? 1 : 0;
    row[at + column['sibling-position']] = index - firstBlock[parent]!;
    row[at + column.siblings] = lastBlock[parent]! - firstBlock[parent]!;
  };
}
