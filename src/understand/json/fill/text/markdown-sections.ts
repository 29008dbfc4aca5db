// Headings and labels of the text with the lists and paragraphs below them: "Ingredients" and its items.
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';

const HEADING = /^#{1,6}\s+(.*)$/;
const LABEL = /^(?:\*\*|__)(.{2,60}?)(?:\*\*|__)\s*:?$|^(.{2,40}):$/;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?(.*)$/;
const MAX_LINES = 20_000;
const MAX_ITEMS = 500;
const MIN_PARAGRAPH = 60;

export interface TextSections {
  named: NamedValues[];
  firstParagraph?: string;
  firstHeading?: string;
}

export function textSections(markdown: string): TextSections {
  const named: NamedValues[] = [];
  let label: string | undefined;
  let items: string[] = [];
  let paragraphs: string[] = [];
  let firstParagraph: string | undefined;
  let firstHeading: string | undefined;
  const close = () => {
    const values = items.length > 0 ? items : paragraphs;
    if (label !== undefined && values.length > 0) {
      named.push({
        name: fieldName(label),
        values: values.slice(0, MAX_ITEMS).map((value) => ({ value })),
        weight: items.length > 0 ? 0.72 : isShort(paragraphs) || paragraphs.length > 1 ? 0.6 : 0.5,
      });
    }
    items = [];
    paragraphs = [];
  };
  for (const line of markdown.split('\n', MAX_LINES)) {
    const heading = HEADING.exec(line)?.[1];
    const bold = heading === undefined ? LABEL.exec(line) : null;
    if (heading !== undefined || bold) {
      close();
      label = plainText(heading ?? bold![1] ?? bold![2]!);
      firstHeading ??= heading === undefined ? undefined : label;
      continue;
    }
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(plainText(item));
    else if (/\S/.test(line) && !/^[|>`]/.test(line)) {
      const text = plainText(line);
      paragraphs.push(text);
      if (text.length >= MIN_PARAGRAPH) firstParagraph ??= text;
    }
  }
  close();
  return { named, ...(firstParagraph && { firstParagraph }), ...(firstHeading && { firstHeading }) };
}

/** One short line under a heading is its value. */
const isShort = (paragraphs: readonly string[]): boolean => paragraphs.length === 1 && paragraphs[0]!.length <= 80;

/** Markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,2000}\)/g, '')
    .replace(/\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<!\w)[*_](\S[^*_]{0,500}?)[*_](?!\w)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
