// Runs of text, links, pictures and note marks of the office engine's model, as HTML.
import type { Asset, Inline, InlineKind, LinkTarget, Note, Style } from '@firecrawl/anydoc';
import { escapeHtml } from '../../../markup/html/escape-html.ts';
import { type Formulas, markedHtml } from '../text-marks.ts';

export interface Writing {
  formulas: Formulas;
  assets: readonly Asset[];
  notes: ReadonlyMap<string, Note>;
  /** The notes that the text refers to, in the order of their marks. */
  used: Map<string, number>;
  pictures: PictureBudget;
}

export interface PictureBudget {
  /** Bytes that may still be written. */
  left: number;
  omitted: number;
}

const PICTURE_BYTES = 256 * 1024;
export const PICTURES_BYTES = 4 * 1024 * 1024;
const SHOWN_TYPES = /^image\/(?:png|jpeg|gif|webp|bmp|tiff|avif|svg\+xml)$/;
const OPENED_SCHEMES = /^(?:https?|mailto|ftp|tel):/i;
const RELATIVE = /^[^\\:#][^\\:]*$/;
// Programs make these for tables of contents and cross references; they are no addresses to anyone else.
const MADE_ANCHOR = /^(?:_toc|_ref|_hlk|_hlt|_goback|__refheading|_page)/i;

const kindOf = (inline: Inline): `${InlineKind}` => inline.kind;

export function inlinesHtml(inlines: readonly Inline[], writing: Writing, plain: Partial<Style> = {}): string {
  return joined(inlines)
    .map((inline) => inlineHtml(inline, writing, plain))
    .join('');
}

/** Engines cut text at every change of anything; neighbours that look the same are one. */
function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const inline of inlines) {
    const last = result.at(-1);
    if (last && kindOf(last) === 'text' && kindOf(inline) === 'text' && sameStyle(last.style, inline.style)) {
      result[result.length - 1] = { ...last, text: `${last.text ?? ''}${inline.text ?? ''}` };
    } else result.push(inline);
  }
  return result;
}

const sameStyle = (a: Style | undefined, b: Style | undefined): boolean =>
  a?.bold === b?.bold && a?.italic === b?.italic && a?.strike === b?.strike && a?.code === b?.code;

function inlineHtml(inline: Inline, writing: Writing, plain: Partial<Style>): string {
  switch (kindOf(inline)) {
    case 'text':
      return textHtml(inline, writing.formulas, plain);
    case 'lineBreak':
      return '<br>';
    case 'link':
      return linkHtml(inline.target, inlinesHtml(inline.content ?? [], writing, plain));
    case 'image':
      return pictureHtml(inline, writing);
    case 'anchor':
      return MADE_ANCHOR.test(inline.anchor ?? '') ? '' : `<a id="${escapeHtml(inline.anchor ?? '')}"></a>`;
    case 'noteRef':
      return noteMark(inline.noteId ?? '', writing);
  }
}

/** `plain`: what all of the paragraph is, which therefore says nothing. */
function textHtml({ text = '', style }: Inline, formulas: Formulas, plain: Partial<Style>): string {
  let html = markedHtml(text, formulas);
  if (text.trim() === '' || !style) return html;
  if (style.code) html = `<code>${html}</code>`;
  if (style.strike) html = `<s>${html}</s>`;
  if (style.italic && !plain.italic) html = `<em>${html}</em>`;
  if (style.bold && !plain.bold) html = `<strong>${html}</strong>`;
  return html;
}

/** A link, where the address is one that a reader could open. */
export const openedLink = (address: string, content: string): string =>
  OPENED_SCHEMES.test(address) || RELATIVE.test(address) ? `<a href="${escapeHtml(address)}">${content}</a>` : content;

function linkHtml(target: LinkTarget | undefined, content: string): string {
  const { kind, value = '' } = target ?? {};
  if ((`${kind}` as const) !== 'anchor') return openedLink(value, content);
  return value === '' || MADE_ANCHOR.test(value) ? content : `<a href="#${escapeHtml(value)}">${content}</a>`;
}

function pictureHtml({ alt = '', source }: Inline, { assets, pictures }: Writing): string {
  const about = alt.replace(/\s+/g, ' ').trim();
  const address = source?.url ?? '';
  if (/^https?:/i.test(address)) return `<img src="${escapeHtml(address)}" alt="${escapeHtml(about)}">`;
  const asset = source?.assetId === undefined ? undefined : assets[source.assetId];
  const size = asset?.data.length ?? 0;
  if (asset && size > 0 && SHOWN_TYPES.test(asset.mediaType)) {
    if (size <= PICTURE_BYTES && size <= pictures.left) {
      pictures.left -= size;
      return `<img src="data:${asset.mediaType};base64,${asset.data.toString('base64')}" alt="${escapeHtml(about)}">`;
    }
    pictures.omitted += 1;
  }
  return about === '' ? '' : `<em>Image: ${escapeHtml(about)}</em>`;
}

function noteMark(id: string, { notes, used }: Writing): string {
  if (!notes.has(id)) return '';
  const number = used.get(id) ?? used.size + 1;
  used.set(id, number);
  return `<sup><a href="#fn-${number}">${number}</a></sup>`;
}
