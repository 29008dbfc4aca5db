// Splits a long page at borders of blocks into parts that fit into a call.
import { estimateTokens, fitTokens } from '../../../text/estimate-tokens.ts';

export interface PageParts {
  parts: string[];
  /** The page has more parts than are read. */
  isCut: boolean;
}

const MAX_PARTS = 20;

export function splitPage(markdown: string, maxTokens: number): PageParts {
  const parts: string[] = [];
  let part: string[] = [];
  let room = maxTokens;
  const close = () => {
    if (part.length > 0) parts.push(part.join('\n\n'));
    part = [];
    room = maxTokens;
  };
  for (const block of blocksOf(markdown, maxTokens)) {
    const tokens = estimateTokens(block) + 1;
    // A heading belongs to the block below it.
    if (tokens > room) {
      const heading = part.length > 1 && /^#{1,6}\s/.test(part.at(-1)!) ? part.pop() : undefined;
      close();
      if (heading !== undefined) part.push(heading);
      room -= heading === undefined ? 0 : estimateTokens(heading);
    }
    if (parts.length >= MAX_PARTS) return { parts, isCut: true };
    part.push(block);
    room -= tokens;
  }
  close();
  return { parts: parts.slice(0, MAX_PARTS), isCut: parts.length > MAX_PARTS };
}

/** Paragraphs, lists, tables; one that is too long is cut at its lines. */
function* blocksOf(markdown: string, maxTokens: number): Generator<string> {
  for (const block of markdown.split(/\n{2,}/)) {
    let rest = block;
    while (rest.length > 0) {
      const { text, isCut } = fitTokens(rest, maxTokens);
      const taken = isCut ? text : rest;
      if (taken.trim() !== '') yield taken;
      rest = rest.slice(Math.max(1, taken.length)).replace(/^\n/, '');
    }
  }
}
