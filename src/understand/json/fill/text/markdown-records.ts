// Lists that only the text shows: items of a list with links, and sections with headings of the same level.
import type { PageRecord } from '../../../../page/structured-data.ts';
import type { PageSource } from '../../../../page/understanding.ts';
import { plainText } from './markdown-sections.ts';

const MIN_RECORDS = 3;
const MAX_RECORDS = 500;
const MAX_LINES = 20_000;
const MAX_TEXT = 1_500;
const ITEM = /^(?:[-*+]|\d{1,4}[.)])\s+(.*)$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const LINK = /\[((?:[^\][]|\\.){1,300})\]\((\S{1,2000}?)(?:\s"[^"]*")?\)/;
const IMAGE = /!\[[^\]]{0,300}\]\((\S{1,2000}?)(?:\s"[^"]*")?\)/;

/** The largest lists first. */
export function markdownRecords({ markdown }: Pick<PageSource, 'markdown'>): PageRecord[][] {
  const lines = markdown.split('\n', MAX_LINES);
  return [...lists(lines), ...sections(lines)]
    .filter((records) => records.length >= MIN_RECORDS)
    .sort((a, b) => b.length - a.length)
    .slice(0, 8);
}

function lists(lines: readonly string[]): PageRecord[][] {
  const found: PageRecord[][] = [];
  let blocks: string[][] = [];
  const close = () => {
    if (blocks.length > 0) found.push(blocks.slice(0, MAX_RECORDS).map(recordOf));
    blocks = [];
  };
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) blocks.push([item]);
    else if (/^\s+\S/.test(line) && blocks.length > 0) blocks.at(-1)!.push(line.trim());
    else if (line.trim() !== '') close();
  }
  close();
  return found;
}

function sections(lines: readonly string[]): PageRecord[][] {
  const byLevel = new Map<number, string[][]>();
  let open: string[] | undefined;
  for (const line of lines) {
    const [, marks, text] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      open = [text!];
      byLevel.set(marks.length, [...(byLevel.get(marks.length) ?? []), open]);
    } else if (line.trim() !== '') open?.push(line.trim());
  }
  return [...byLevel.values()].map((blocks) =>
    blocks
      .filter((block) => block.length > 1)
      .slice(0, MAX_RECORDS)
      .map(recordOf),
  );
}

/** The first line names the record; other lines are its parts. */
function recordOf(lines: readonly string[]): PageRecord {
  const whole = lines.join('\n').slice(0, MAX_TEXT);
  const link = LINK.exec(whole.replace(/!\[/g, '\\!['));
  const image = IMAGE.exec(whole)?.[1];
  const [first, ...rest] = whole
    .split('\n')
    .map(plainText)
    .filter((line) => line !== '');
  const linked = link ? plainText(link[1]!) : undefined;
  return {
    ...((linked ?? first) && { title: linked || first! }),
    ...(link && { href: link[2]! }),
    ...(image !== undefined && { image }),
    fields: rest
      .filter((line) => line.length > 30)
      .slice(0, 1)
      .map((value) => ({ label: 'p', value })),
    text: [first, ...rest].join('\n'),
  };
}
