// The format `chunks`: a page in pieces for a search index, made from the blocks of its Markdown.
import type { Chunk } from '../../contracts/formats/chunk.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { sha256 } from '../../util/hash.ts';
import type { ChunkedText } from './chunk-work.ts';
import { shortened } from './heading-text.ts';
import { type ChunkLimits, type ChunkPiece, packBlocks } from './pack-parts.ts';
import { scanBlocks } from './scan-blocks.ts';
import { groupSections, type SectionGroup, sectionsOf } from './sections.ts';

const ID_DIGITS = 24;
const LONGEST_TITLE = 300;
const JOINT = ' > ';

/** In the order of the page. */
export function makeChunks(source: ChunkedText, limits: ChunkLimits): Chunk[] {
  const { markdown } = source;
  const title = shortened(source.title ?? '', LONGEST_TITLE);
  const nameFor = createIds(source.url);
  const pageAt = pageFinder(source.pageStarts);
  const chunks: Chunk[] = [];
  for (const group of groupSections(sectionsOf(scanBlocks(markdown)), limits.maxTokens)) {
    const { path: headings } = group;
    const context = [...(title !== '' && title !== headings[0] ? [title] : []), ...headings].join(JOINT);
    const body = bodyStart(group);
    for (const piece of packBlocks(group.blocks, limits)) {
      const { start, end } = piece;
      const text = textOf(markdown, piece);
      const tokens = estimateTokens(text);
      const page = pageAt(start);
      chunks.push({
        id: nameFor(headings, start < body && body < end ? textOf(markdown, { ...piece, start: body }) : text),
        ...{ headings, context, text, tokens, start, end },
        ...(page !== undefined && { page }),
        ...(tokens > limits.maxTokens && { oversized: true as const }),
      });
    }
  }
  return withNeighbours(chunks);
}

/** Without empty lines in front and spaces at the end. */
function textOf(markdown: string, { start, end, opener, closer }: ChunkPiece): string {
  const slice = markdown.slice(start, end).trimEnd();
  const empty = slice.length - slice.trimStart().length;
  return `${opener}${slice.slice(slice.lastIndexOf('\n', empty - 1) + 1)}${closer}`;
}

/** Where the first block begins that is no heading: what stands above may come from the sections around. */
function bodyStart({ blocks }: SectionGroup): number {
  return blocks.find(({ kind }) => kind !== 'heading')?.start ?? 0;
}

/** The same chunk under the same headings gets a number. */
function createIds(url: string): (headings: readonly string[], text: string) => string {
  const counts = new Map<string, number>();
  return (headings, text) => {
    // Neither an address nor a heading has a line break.
    const id = sha256(`${url}\n${headings.join('\n')}\n\n${text}`).slice(0, ID_DIGITS);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}

/** The number of the page of a file on which a position is, for positions that only grow. */
function pageFinder(pageStarts: readonly number[] = []): (position: number) => number | undefined {
  let page = 0;
  return (position) => {
    while (page < pageStarts.length && pageStarts[page]! <= position) page += 1;
    return page === 0 ? undefined : page;
  };
}

const withNeighbours = (chunks: readonly Chunk[]): Chunk[] =>
  chunks.map((chunk, at) => ({
    ...chunk,
    ...(at > 0 && { previousId: chunks[at - 1]!.id }),
    ...(at + 1 < chunks.length && { nextId: chunks[at + 1]!.id }),
  }));
