// The texts of an HTML source: what is shown, block by block, and the values of attributes. Scripts, styles and comments are
// cut out: nobody reads them, and names in them can be written in too many ways.
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { type Edit, type TextView, ViewBuilder } from './text-view.ts';
import { addDecodedUrl, isUrlText } from './url-view.ts';

export interface HtmlViews {
  /** The text first, then the attributes. */
  views: TextView[];
  /** Ranges to cut out. */
  cuts: Edit[];
}

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const UNREAD = new Set(['script', 'style']);
/** Attributes that are written for readers. */
const WORDED = new Set('alt title content aria-label aria-description placeholder value label summary'.split(' '));
const REFERENCE = /&(?:#x?[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});?/gi;
const TAG_START = /<(?:[a-z/]|!|\?)/gi;
const TAG_NAME = /\/?([a-z][^\s/>]*)/iy;
const ATTRIBUTE = /([^\s/>=]+)(?:\s*=\s*)?/y;
const VALUE = /"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)/y;

export function htmlViews(html: string): HtmlViews {
  return new HtmlReader(html).read();
}

class HtmlReader {
  readonly #html: string;
  readonly #text = new ViewBuilder();
  readonly #attributes: TextView[] = [];
  readonly #cuts: Edit[] = [];

  constructor(html: string) {
    this.#html = html;
  }

  read(): HtmlViews {
    const html = this.#html;
    let position = 0;
    while (position < html.length) {
      TAG_START.lastIndex = position;
      const found = TAG_START.exec(html);
      if (!found) break;
      addDecoded(this.#text, html, position, found.index, decodeHTML);
      position = this.#tag(found.index);
    }
    addDecoded(this.#text, html, position, html.length, decodeHTML);
    return { views: [this.#text.view({ escape: escapeHtml }), ...this.#attributes], cuts: this.#cuts };
  }

  /** Reads the tag or comment at `start` and returns where the text goes on. */
  #tag(start: number): number {
    const html = this.#html;
    TAG_NAME.lastIndex = start + 1;
    const named = TAG_NAME.exec(html);
    if (!named) return this.#skipTo(start);
    const name = named[1]!.toLowerCase();
    const end = this.#readAttributes(TAG_NAME.lastIndex);
    if (!INLINE.has(name)) this.#text.separate('\n');
    if (!UNREAD.has(name) || html[start + 1] === '/') return end;
    const close = indexOfTag(html, `</${name}`, end);
    if (close > end) this.#cuts.push({ start: end, end: close, text: '' });
    return close;
  }

  /** Comments and the like, and the doctype, which stays. */
  #skipTo(start: number): number {
    const mark = this.#html.startsWith('<!--', start) ? '-->' : '>';
    const at = this.#html.indexOf(mark, start);
    const end = at === -1 ? this.#html.length : at + mark.length;
    if (!/^<!doctype/i.test(this.#html.slice(start, start + 9))) this.#cuts.push({ start, end, text: '' });
    return end;
  }

  /** Returns the position behind the tag. */
  #readAttributes(from: number): number {
    const html = this.#html;
    let at = from;
    while (at < html.length && html[at] !== '>') {
      ATTRIBUTE.lastIndex = at;
      const attribute = ATTRIBUTE.exec(html);
      // White space, slashes, or a stray equals sign.
      if (!attribute) {
        at += 1;
        continue;
      }
      at = ATTRIBUTE.lastIndex;
      if (attribute[0].trimEnd().endsWith('=')) at = this.#readValue(attribute[1]!.toLowerCase(), at);
    }
    return at + 1;
  }

  #readValue(name: string, at: number): number {
    VALUE.lastIndex = at;
    const value = VALUE.exec(this.#html);
    if (!value) return at + 1;
    const isQuoted = value[3] === undefined;
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted ? VALUE.lastIndex - 1 : VALUE.lastIndex;
    if (end > start) {
      const view = new ViewBuilder();
      const source = this.#html.slice(start, end);
      if (source.includes('&')) addDecoded(view, this.#html, start, end, decodeHTMLAttribute);
      else addDecodedUrl(view, source, start);
      const isWorded = WORDED.has(name) && !isUrlText(source);
      this.#attributes.push(view.view({ escape: escapeHtml, ...(!isWorded && { isMachineText: true }) }));
    }
    return VALUE.lastIndex;
  }
}

function addDecoded(
  view: ViewBuilder,
  html: string,
  start: number,
  end: number,
  decode: (reference: string) => string,
): void {
  if (start >= end) return;
  const source = html.slice(start, end);
  let position = 0;
  if (source.includes('&')) {
    for (const { index, 0: reference } of source.matchAll(REFERENCE)) {
      const decoded = decode(reference);
      if (decoded === reference) continue;
      view.add(source.slice(position, index), start + position, start + index);
      view.add(decoded, start + index, start + index + reference.length);
      position = index + reference.length;
    }
  }
  view.add(source.slice(position), start + position, end);
}

/** Case-insensitive; the end of the source if the tag is never closed. */
function indexOfTag(html: string, tag: string, from: number): number {
  const pattern = new RegExp(`${tag}[\\s/>]`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}
