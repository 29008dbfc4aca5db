// Writes the office engine's model as HTML that the transform turns into good Markdown.
import type { Block, BlockKind, Document, Inline, InlineKind, List } from '@firecrawl/anydoc';
import { escapeHtml } from '../../../markup/html/escape-html.ts';
import type { FileKind } from '../../../page/parsed.ts';
import { type Formulas, MARK, stripMarks } from '../text-marks.ts';
import { type HtmlState, inlinesHtml, MAX_PICTURES_BYTES } from './inline-html.ts';
import { firstText, joinNumbered, nestLists, toTaskItem } from './nest-lists.ts';
import { tableHtml } from './office-table.ts';

export interface OfficeHtml {
  body: string;
  /** Footnotes and endnotes. */
  notes: string;
  /** Number of pictures that are too large to embed. */
  omittedPictures: number;
}

const PRESENTATION_KINDS = new Set<FileKind>(['pptx', 'ppt', 'odp']);

export interface KnownFacts {
  kind: FileKind;
  formulas: Formulas;
  /** From the file's properties. */
  title: string | undefined;
}

export function officeHtml(model: Document, { kind, formulas, title }: KnownFacts): OfficeHtml {
  const state: HtmlState = {
    formulas,
    assets: model.assets,
    notes: new Map(model.notes.map((note) => [note.id, note])),
    usedNotes: new Map(),
    pictures: { left: MAX_PICTURES_BYTES, omitted: 0 },
  };
  // In .doc files, the engine restarts a list at every item whose numbering was ever set manually.
  const blocks = kind === 'doc' ? joinNumbered(model.blocks) : model.blocks;
  const body = blocksHtml(
    PRESENTATION_KINDS.has(kind) ? blocks.map(labelSpeakerNotes) : withTitleHeading(blocks, title),
    state,
  );
  const notes: string[] = [];
  // A note may refer to further notes, which are appended while iterating.
  for (const [id, number] of state.usedNotes) {
    notes.push(`<div id="fn-${number}">${blocksHtml(state.notes.get(id)!.blocks, state)}</div>`);
  }
  return { body, notes: notes.join('\n'), omittedPictures: state.pictures.omitted };
}

/** A first paragraph equal to the title becomes a heading, even if the engine misses its style. */
function withTitleHeading(blocks: readonly Block[], title: string | undefined): readonly Block[] {
  const [first, ...rest] = blocks;
  const text = first?.content?.map(codeText).join('').replace(/\s+/g, ' ').trim();
  if (!first || kindOf(first) !== 'paragraph' || title === undefined || text !== title) return blocks;
  return [{ ...first, kind: 'heading' as BlockKind, level: 1 }, ...rest];
}

const PAGE_NUMBER = /^(?:\*|<number>|‹#›)$/;
const NOTES_LABEL = { kind: 'text', text: 'Notes:', style: { bold: true, italic: false, strike: false, code: false } };

/** The engine returns speaker notes as block quotes; a label tells them from quotations on the slide. */
function labelSpeakerNotes(block: Block): Block {
  if (kindOf(block) !== 'blockQuote') return block;
  const notes = (block.blocks ?? []).filter(
    ({ content }) => !PAGE_NUMBER.test((content ?? []).map(codeText).join('').trim()),
  );
  const [first, ...rest] = notes;
  if (!first || kindOf(first) !== 'paragraph') return { ...block, blocks: notes };
  const content = [NOTES_LABEL as Inline, { kind: 'text', text: ' ' } as Inline, ...(first.content ?? [])];
  return { ...block, blocks: [{ ...first, content }, ...rest] };
}

const kindOf = (block: Block): `${BlockKind}` => block.kind;

function blocksHtml(blocks: readonly Block[], state: HtmlState): string {
  const parts: string[] = [];
  const nested = nestLists(blocks);
  for (let at = 0; at < nested.length; at++) {
    const mark = paragraphMark(nested[at]!);
    let end = at + 1;
    if (mark === MARK.codeLine || mark === MARK.quote)
      while (end < nested.length && paragraphMark(nested[end]!) === mark) end++;
    const group = nested.slice(at, end);
    if (mark === MARK.codeLine) parts.push(codeHtml(group));
    else if (mark === MARK.quote) parts.push(quoteHtml(group, state));
    else parts.push(blockHtml(nested[at]!, state));
    at = end - 1;
  }
  return parts.filter((part) => part !== '').join('\n');
}

/** The mark at the start of a paragraph. */
function paragraphMark(block: Block): string | undefined {
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
  return inline.content?.map(codeText).join('') ?? stripMarks(inline.text ?? '');
}

function quoteHtml(paragraphs: readonly Block[], state: HtmlState): string {
  const inner = paragraphs.map((block) => paragraphHtml(block, state, { italic: isAllStyled(block, 'italic') }));
  return `<blockquote>\n${inner.join('\n')}\n</blockquote>`;
}

const paragraphHtml = (block: Block, state: HtmlState, plain = {}): string => {
  const html = inlinesHtml(block.content ?? [], state, plain);
  return html.trim() === '' ? '' : `<p>${html}</p>`;
};

function blockHtml(block: Block, state: HtmlState): string {
  switch (kindOf(block)) {
    case 'heading':
      return headingHtml(block, block.level ?? 1, state);
    case 'paragraph':
      return paragraphMark(block) === MARK.title ? headingHtml(block, 1, state) : paragraphHtml(block, state);
    case 'list':
      return block.list ? listHtml(block.list, state) : '';
    case 'table':
      return block.table
        ? tableHtml(block.table, (cell, isHeader) =>
            compactHtml(cell, state, { bold: isHeader && cell.every((part) => isAllStyled(part, 'bold')) }),
          )
        : '';
    case 'blockQuote':
      return `<blockquote>\n${blocksHtml(block.blocks ?? [], state)}\n</blockquote>`;
    case 'codeBlock':
      return `<pre><code>${escapeHtml(stripMarks(block.text ?? ''))}</code></pre>`;
    case 'rule':
      return '<hr>';
  }
}

function headingHtml(block: Block, level: number, state: HtmlState): string {
  const html = inlinesHtml(block.content ?? [], state, { bold: isAllStyled(block, 'bold') });
  if (html.trim() === '') return '';
  const id = block.anchor === undefined ? '' : ` id="${escapeHtml(block.anchor)}"`;
  const tag = `h${Math.min(Math.max(level, 1), 6)}`;
  return `<${tag}${id}>${html}</${tag}>`;
}

const isAllStyled = (block: Block, style: 'bold' | 'italic'): boolean =>
  (block.content ?? []).every(
    ({ text, style: own }) => text === undefined || stripMarks(text).trim() === '' || own?.[style],
  );

function listHtml(list: List, state: HtmlState): string {
  // Compound numbers ("2.1", "1-a)") stay text: Markdown has no such lists.
  const isOrdered = `${list.marker}` !== 'bullet' && list.items.every(({ markerLabel }) => markerLabel === undefined);
  const items = list.items.map((item) => {
    const { blocks, checked } = toTaskItem(item);
    const box = checked === undefined ? '' : `<input type="checkbox"${checked ? ' checked' : ''}> `;
    const label = item.markerLabel === undefined ? '' : `${escapeHtml(item.markerLabel)} `;
    return `<li>${box}${label}${compactHtml(blocks, state)}</li>`;
  });
  const tag = isOrdered ? 'ol' : 'ul';
  return `<${tag}${isOrdered && list.start !== 1 ? ` start="${list.start}"` : ''}>\n${items.join('\n')}\n</${tag}>`;
}

/** Content of a list item or cell. A single paragraph is written without <p>, which makes a tight list. */
function compactHtml(blocks: readonly Block[], state: HtmlState, plain = {}): string {
  const [first, ...rest] = blocks;
  const isCompact = first && kindOf(first) === 'paragraph' && rest.every((block) => kindOf(block) === 'list');
  if (!isCompact || paragraphMark(first) === MARK.codeLine) return blocksHtml(blocks, state);
  return `${inlinesHtml(first.content ?? [], state, plain)}\n${blocksHtml(rest, state)}`.trim();
}
