// HTML source to a flat tree in one pass over htmlparser2's tokens. It never throws, never recurses,
// and ends in time proportional to the source: what goes beyond the limits is cut or flattened.
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { createConstruction } from './construct.ts';
import { createTreeBuilder } from './flat-tree.ts';
import { TAG } from './tags.ts';
import type { HtmlTree } from './tree.ts';

export interface ParseLimits {
  /** Elements nested deeper than this become siblings of their parents. */
  maxDepth: number;
  /** The page is cut after this many nodes. */
  maxNodes: number;
}

const DEFAULT_LIMITS: ParseLimits = { maxDepth: 512, maxNodes: 1_000_000 };
const MAX_ATTRIBUTES = 256;
const BLANK = /^[ \t\n\f\r]*$/;

export function parseHtml(html: string, limits: Partial<ParseLimits> = {}): HtmlTree {
  const { maxDepth, maxNodes } = { ...DEFAULT_LIMITS, ...limits };
  const source = normalise(html);
  const tree = createTreeBuilder(source);
  const construction = createConstruction(tree, maxDepth);
  let cut = false;

  // The value that is being collected: a span of the source, or a string once a character reference was decoded.
  let start = 0;
  let end = 0;
  let decoded: string | undefined;
  let empty = true;
  const take = (from: number, to: number) => {
    // The tokenizer reports a tag that the page breaks off in as text without a start; browsers drop it.
    if (from < 0) return;
    if (decoded !== undefined) decoded += source.slice(from, to);
    else if (empty) [start, end] = [from, to];
    else if (from === end) end = to;
    else decoded = source.slice(start, end) + source.slice(from, to);
    empty = false;
  };
  const takeDecoded = (codePoint: number) => {
    decoded = (decoded ?? (empty ? '' : source.slice(start, end))) + String.fromCodePoint(codePoint);
    empty = false;
  };
  const discard = () => {
    decoded = undefined;
    empty = true;
  };

  let tag = 0;
  let firstAttribute = 0;
  let attributeName = '';
  let lineBreakIsNoise = false;

  const checkSize = () => {
    if (tree.size < maxNodes) return;
    cut = true;
    tokenizer.pause();
  };
  const isBlankText = () => BLANK.test(decoded ?? source.slice(start, end));
  const flushText = () => {
    if (empty) return;
    if (lineBreakIsNoise) dropFirstLineBreak();
    if (!empty) construction.text(start, end, decoded, isBlankText);
    discard();
    checkSize();
  };
  // The line break right after <pre> is not part of its text.
  const dropFirstLineBreak = () => {
    lineBreakIsNoise = false;
    if (decoded !== undefined) decoded = decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    else if (source.charCodeAt(start) === 10) start += 1;
    if (decoded === '' || (decoded === undefined && start >= end)) discard();
  };

  const openTag = (selfClosing: boolean) => {
    const attributes = { first: firstAttribute, count: tree.attributeCount - firstAttribute };
    construction.startTag(tag, attributes, selfClosing);
    lineBreakIsNoise = tag === TAG.pre || tag === TAG.textarea || tag === TAG.listing;
    checkSize();
  };

  const names = new Set<string>();
  const callbacks: TokenizerCallbacks = {
    ontext: take,
    ontextentity: takeDecoded,
    onopentagname(from, to) {
      flushText();
      tag = tree.tagId(source.slice(from, to).toLowerCase());
      firstAttribute = tree.attributeCount;
      names.clear();
    },
    onattribname(from, to) {
      discard();
      attributeName = source.slice(from, to).toLowerCase();
    },
    onattribdata: take,
    onattribentity: takeDecoded,
    onattribend(quote) {
      if (quote === QuoteType.NoValue || empty) [start, end, decoded] = [0, 0, undefined];
      if (names.size < MAX_ATTRIBUTES && !names.has(attributeName)) {
        names.add(attributeName);
        tree.addAttribute(attributeName, start, end, decoded);
      }
      discard();
    },
    onopentagend: () => openTag(false),
    onselfclosingtag: () => openTag(true),
    onclosetag(from, to) {
      flushText();
      lineBreakIsNoise = false;
      construction.endTag(tree.tagId(source.slice(from, to).toLowerCase()));
    },
    oncdata: flushText,
    oncomment: flushText,
    ondeclaration: flushText,
    onprocessinginstruction: flushText,
    onend: flushText,
    isInForeignContext: () => construction.inForeignContent,
  };
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks);
  tokenizer.write(source);
  tokenizer.end();
  construction.finish();
  return tree.finish(cut || construction.flattened);
}

/** Line ends as in browsers; NUL has no business in a page. Real pages seldom need either, so most are not copied. */
function normalise(html: string): string {
  let source = html.startsWith('\ufeff') ? html.slice(1) : html;
  // In HTML a CDATA section is a comment that ends at the next ">"; the tokenizer would swallow the page up to "]]>".
  if (source.includes('<![CDATA[')) source = source.replaceAll('<![CDATA[', '<!?CDATA[');
  if (source.includes('\r')) source = source.replace(/\r\n?/g, '\n');
  return source.includes('\0') ? source.replaceAll('\0', '') : source;
}
