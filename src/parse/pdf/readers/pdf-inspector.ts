// A second reading of pages by pdf-inspector, for those where the first one is in doubt. It writes Markdown, which is taken apart
// again; it always looks at the whole document, so that it is asked for short ones only.
import { extractPagesMarkdownAsync } from '@firecrawl/pdf-inspector';
import type { Part } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

/** By the number of the page; all pages where none are named. Nothing for a page whose text it does not trust. */
export async function readAgain(bytes: Uint8Array, pages?: readonly number[]): Promise<Map<number, Part[]>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = await extractPagesMarkdownAsync(
    buffer,
    pages?.map((page) => page - 1),
  );
  return new Map(result.pages.map(({ page, markdown, needsOcr }) => [page + 1, needsOcr ? [] : partsOf(markdown)]));
}

const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^(\s*)([-*+•]|\d{1,4}[.)])\s+(\S.*)$/;
// Underlining is no Markdown.
const UNDERLINE = /<\/?u>/g;
const WHOLLY_BOLD = /^\*\*([^*]+)\*\*$/;

export function partsOf(markdown: string): Part[] {
  const parts: Part[] = [];
  let open: Part | undefined;
  const add = (kind: Part['kind'], text: string, more: Partial<Part> = {}) => {
    parts.push({ kind, text, level: 0, bold: false, italic: false, size: 0, ...more });
    return parts.at(-1)!;
  };
  for (const line of repairLines(markdown)) {
    const heading = HEADING.exec(line);
    const item = heading ? null : ITEM.exec(line);
    if (line.trim() === '') open = undefined;
    else if (heading) {
      add('heading', heading[2]!.replace(WHOLLY_BOLD, '$1'), { level: heading[1]!.length });
      open = undefined;
    } else if (line.startsWith('|')) {
      if (open?.kind !== 'table') open = add('table', '', { rows: [] });
      if (!/^\|[-:| ]+\|$/.test(line)) open.rows!.push(cellsOf(line));
    } else if (item) {
      const marker = /\d/.test(item[2]!) ? item[2]! : '-';
      open = add('list', item[3]!, { marker, level: Math.min(6, Math.floor(item[1]!.length / 2)) });
    } else if (open && open.kind !== 'table') open.text += ` ${line.trim()}`;
    else open = add('text', line.trim());
  }
  for (const part of parts) {
    const bold = part.kind === 'text' ? WHOLLY_BOLD.exec(part.text)?.[1] : undefined;
    if (bold !== undefined) Object.assign(part, { text: bold, bold: true });
  }
  return parts;
}

const repairLines = (markdown: string): string[] => markdown.split('\n').map((line) => repairEnd(line));

/** The indent of a list item counts. */
const repairEnd = (line: string): string => (/^\s*/.exec(line)?.[0] ?? '') + repairText(line.replaceAll(UNDERLINE, ''));

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replaceAll('\\|', '|')
        .replaceAll(/<br\s*\/?>/gi, ' ')
        .trim(),
    );
