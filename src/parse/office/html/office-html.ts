// The office engine's model of a document as HTML that the transform turns into good Markdown.
import type { Block, BlockKind, Document, Inline, InlineKind, List } from '@firecrawl/anydoc';
import type { FileKind } from '../../../contracts/parsed.ts';
import { escapeHtml } from '../../../markup/html/escape-html.ts';
import { type Formulas, MARK, withoutMarks } from '../text-marks.ts';
import { inlinesHtml, PICTURES_BYTES, type Writing } from './inline-html.ts';
import { asTask, firstText, joinNumbered, nestLists } from './nest-lists.ts';
import { tableHtml } from './office-table.ts';

export interface DocumentHtml {
  body: string;
  /** Footnotes and endnotes. */
  notes: string;
  /** Pictures that are too large to stand in the text. */
  omittedPictures: number;
}

const PRESENTATIONS = new Set<FileKind>(['pptx', 'ppt', 'odp']);

export interface Known {
  kind: FileKind;
  formulas: Formulas;
  /** As the file's properties say it. */
  title: string | undefined;
}

export function documentHtml(document: Document, { kind, formulas, title }: Known): DocumentHtml {
  const writing: Writing = {
    formulas,
    assets: document.assets,
    notes: new Map(document.notes.map((note) => [note.id, note])),
    used: new Map(),
    pictures: { left: PICTURES_BYTES, omitted: 0 },
  };
  // The engine starts anew at every item whose numbering was ever set by hand, in this one format.
  const blocks = kind === 'doc' ? joinNumbered(document.blocks) : document.blocks;
  const body = blocksHtml(PRESENTATIONS.has(kind) ? blocks.map(speakerNotes) : titled(blocks, title), writing);
  const notes: string[] = [];
  // A note may refer to further ones, which come after it.
  for (const [id, number] of writing.used) {
    notes.push(`<div id="fn-${number}">${blocksHtml(writing.notes.get(id)!.blocks, writing)}</div>`);
  }
  return { body, notes: notes.join('\n'), omittedPictures: writing.pictures.omitted };
}

/** A first paragraph that says the title is a heading, even where the engine does not see its style. */
function titled(blocks: readonly Block[], title: string | undefined): readonly Block[] {
  const [first, ...rest] = blocks;
  const text = first?.content?.map(codeText).join('').replace(/\s+/g, ' ').trim();
  if (!first || kindOf(first) !== 'paragraph' || title === undefined || text !== title) return blocks;
  return [{ ...first, kind: 'heading' as BlockKind, level: 1 }, ...rest];
}

const PAGE_NUMBER = /^(?:\*|<number>|‹#›)$/;
const NOTES_LABEL = { kind: 'text', text: 'Notes:', style: { bold: true, italic: false, strike: false, code: false } };

/** The engine quotes what the speaker is to say; a word before it tells it from a quotation on the slide. */
function speakerNotes(block: Block): Block {
  if (kindOf(block) !== 'blockQuote') return block;
  const said = (block.blocks ?? []).filter(
    ({ content }) => !PAGE_NUMBER.test((content ?? []).map(codeText).join('').trim()),
  );
  const [first, ...rest] = said;
  if (!first || kindOf(first) !== 'paragraph') return { ...block, blocks: said };
  const content = [NOTES_LABEL as Inline, { kind: 'text', text: ' ' } as Inline, ...(first.content ?? [])];
  return { ...block, blocks: [{ ...first, content }, ...rest] };
}

const kindOf = (block: Block): `${BlockKind}` => block.kind;

function blocksHtml(blocks: readonly Block[], writing: Writing): string {
  const parts: string[] = [];
  const nested = nestLists(blocks);
  for (let at = 0; at < nested.length; at++) {
    const sign = signOf(nested[at]!);
    let end = at + 1;
    if (sign === MARK.codeLine || sign === MARK.quote)
      while (end < nested.length && signOf(nested[end]!) === sign) end++;
    const group = nested.slice(at, end);
    if (sign === MARK.codeLine) parts.push(codeHtml(group));
    else if (sign === MARK.quote) parts.push(quoteHtml(group, writing));
    else parts.push(blockHtml(nested[at]!, writing));
    at = end - 1;
  }
  return parts.filter((part) => part !== '').join('\n');
}

/** The mark at the start of a paragraph. */
function signOf(block: Block): string | undefined {
  const text = kindOf(block) === 'paragraph' || kindOf(block) === 'heading' ? firstText(block)?.text : undefined;
  return text?.startsWith(MARK.monospacedLine) ? MARK.codeLine : text?.[0];
}

function codeHtml(lines: readonly Block[]): string {
  const code = lines.map(({ content = [] }) => content.map(codeText).join('')).join('\n');
  return `<pre><code>${escapeHtml(code)}</code></pre>`;
}

function codeText(inline: Inline): string {
  const kind: `${InlineKind}` = inline.kind;
  if (kind === 'lineBreak') return '\n';
  return inline.content?.map(codeText).join('') ?? withoutMarks(inline.text ?? '');
}

function quoteHtml(paragraphs: readonly Block[], writing: Writing): string {
  const inner = paragraphs.map((block) => paragraphHtml(block, writing, { italic: isAll(block, 'italic') }));
  return `<blockquote>\n${inner.join('\n')}\n</blockquote>`;
}

const paragraphHtml = (block: Block, writing: Writing, plain = {}): string => {
  const html = inlinesHtml(block.content ?? [], writing, plain);
  return html.trim() === '' ? '' : `<p>${html}</p>`;
};

function blockHtml(block: Block, writing: Writing): string {
  switch (kindOf(block)) {
    case 'heading':
      return headingHtml(block, block.level ?? 1, writing);
    case 'paragraph':
      return signOf(block) === MARK.title ? headingHtml(block, 1, writing) : paragraphHtml(block, writing);
    case 'list':
      return block.list ? listHtml(block.list, writing) : '';
    case 'table':
      return block.table
        ? tableHtml(block.table, (cell, isHeader) =>
            closeHtml(cell, writing, { bold: isHeader && cell.every((part) => isAll(part, 'bold')) }),
          )
        : '';
    case 'blockQuote':
      return `<blockquote>\n${blocksHtml(block.blocks ?? [], writing)}\n</blockquote>`;
    case 'codeBlock':
      return `<pre><code>${escapeHtml(withoutMarks(block.text ?? ''))}</code></pre>`;
    case 'rule':
      return '<hr>';
  }
}

function headingHtml(block: Block, level: number, writing: Writing): string {
  const html = inlinesHtml(block.content ?? [], writing, { bold: isAll(block, 'bold') });
  if (html.trim() === '') return '';
  const id = block.anchor === undefined ? '' : ` id="${escapeHtml(block.anchor)}"`;
  const tag = `h${Math.min(Math.max(level, 1), 6)}`;
  return `<${tag}${id}>${html}</${tag}>`;
}

const isAll = (block: Block, style: 'bold' | 'italic'): boolean =>
  (block.content ?? []).every(
    ({ text, style: own }) => text === undefined || withoutMarks(text).trim() === '' || own?.[style],
  );

function listHtml(list: List, writing: Writing): string {
  // Numbers of several parts ("2.1", "1-a)") are text: no list in Markdown counts like that.
  const isOrdered = `${list.marker}` !== 'bullet' && list.items.every(({ markerLabel }) => markerLabel === undefined);
  const items = list.items.map((item) => {
    const { blocks, checked } = asTask(item);
    const box = checked === undefined ? '' : `<input type="checkbox"${checked ? ' checked' : ''}> `;
    const label = item.markerLabel === undefined ? '' : `${escapeHtml(item.markerLabel)} `;
    return `<li>${box}${label}${closeHtml(blocks, writing)}</li>`;
  });
  const tag = isOrdered ? 'ol' : 'ul';
  return `<${tag}${isOrdered && list.start !== 1 ? ` start="${list.start}"` : ''}>\n${items.join('\n')}\n</${tag}>`;
}

/** What an item or a cell holds. A single paragraph needs no element of its own, and a list without any is set close. */
function closeHtml(blocks: readonly Block[], writing: Writing, plain = {}): string {
  const [first, ...rest] = blocks;
  const isClose = first && kindOf(first) === 'paragraph' && rest.every((block) => kindOf(block) === 'list');
  if (!isClose || signOf(first) === MARK.codeLine) return blocksHtml(blocks, writing);
  return `${inlinesHtml(first.content ?? [], writing, plain)}\n${blocksHtml(rest, writing)}`.trim();
}
