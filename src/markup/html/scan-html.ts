// Splits HTML into tags and texts in one pass. It follows the specification's tokenizer where pages depend on it, and jumps
// over the rest: to the next "<", and to the ends of comments and scripts.
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { MAX_TAGS, type TreeBuilder } from './flat-tree.ts';
import { addToHash, lowerCase } from './name-table.ts';
import { isRawText, TAG } from './tags.ts';

const MAX_ATTRIBUTES = 256;
const TAB = 9;
const LINE_FEED = 10;
const FORM_FEED = 12;
const SPACE = 32;
const EXCLAMATION = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const HYPHEN = 45;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

const isSpace = (code: number): boolean => code === SPACE || code === LINE_FEED || code === TAB || code === FORM_FEED;
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** Takes the tags and texts of a page. Attributes are in the tree builder, by number. */
export interface HtmlTokens {
  startTag(tag: number, firstAttribute: number, attributes: number, selfClosing: boolean): void;
  endTag(tag: number): void;
  /** The source span, or `decoded` where that differs from it. */
  text(start: number, end: number, decoded: string | undefined): void;
  /** Inside svg and math no element has raw text. */
  readonly inForeignContent: boolean;
}

export class HtmlScanner {
  readonly #source: string;
  readonly #tree: TreeBuilder;
  readonly #tokens: HtmlTokens;
  #at = 0;
  /** Position of the next "&": texts and values without one need no decoding. */
  #ampersand = -1;

  constructor(source: string, tree: TreeBuilder, tokens: HtmlTokens) {
    this.#source = source;
    this.#tree = tree;
    this.#tokens = tokens;
  }

  /** Reads the whole source. False if it was cut at `maxNodes`. */
  run(maxNodes: number): boolean {
    const source = this.#source;
    let textStart = 0;
    while (this.#at < source.length) {
      const less = source.indexOf('<', this.#at);
      if (less === -1) break;
      const next = source.charCodeAt(less + 1);
      if (!isLetter(next) && next !== SLASH && next !== EXCLAMATION && next !== QUESTION) {
        this.#at = less + 1;
        continue;
      }
      if (less > textStart) this.#text(textStart, less);
      this.#at = less + 1;
      if (isLetter(next)) this.#startTag();
      else if (next === SLASH) this.#endTag();
      else this.#skipComment(next);
      textStart = this.#at;
      if (this.#tree.size >= maxNodes) return false;
    }
    if (source.length > textStart) this.#text(textStart, source.length);
    return this.#tree.size < maxNodes;
  }

  #holdsReference(start: number, end: number): boolean {
    if (this.#ampersand < start) {
      const found = this.#source.indexOf('&', start);
      this.#ampersand = found === -1 ? this.#source.length : found;
    }
    return this.#ampersand < end;
  }

  #text(start: number, end: number): void {
    const decoded = this.#holdsReference(start, end) ? decodeHTML(this.#source.slice(start, end)) : undefined;
    this.#tokens.text(start, end, decoded);
  }

  #skipSpace(): number {
    let code = this.#source.charCodeAt(this.#at);
    while (isSpace(code)) code = this.#source.charCodeAt(++this.#at);
    return code;
  }

  /** Reads a tag name and returns its number. */
  #tagName(): number {
    const source = this.#source;
    const start = this.#at;
    let at = start;
    let hash = 0;
    for (; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code === GREATER || code === SLASH || isSpace(code)) break;
      hash = addToHash(hash, lowerCase(code));
    }
    this.#at = at;
    return this.#tree.tags.find(source, start, at, hash);
  }

  #startTag(): void {
    const source = this.#source;
    const tag = this.#tagName();
    const firstAttribute = this.#tree.attributeCount;
    let selfClosing = false;
    while (true) {
      const code = this.#skipSpace();
      if (code === GREATER) break;
      // The page ends inside the tag: drop it.
      if (Number.isNaN(code)) return;
      selfClosing = code === SLASH;
      if (selfClosing) this.#at += 1;
      else this.#attribute(firstAttribute);
    }
    this.#at += 1;
    const tokens = this.#tokens;
    tokens.startTag(tag, firstAttribute, this.#tree.attributeCount - firstAttribute, selfClosing);
    if (tokens.inForeignContent || tag >= MAX_TAGS) return;
    // The line break right after <pre> is not part of its text.
    const startsListing = tag === TAG.pre || tag === TAG.textarea || tag === TAG.listing;
    if (startsListing && source.charCodeAt(this.#at) === LINE_FEED) this.#at += 1;
    if (isRawText(tag)) this.#rawText(tag);
  }

  #attribute(firstAttribute: number): void {
    const source = this.#source;
    const nameStart = this.#at;
    let at = nameStart;
    let hash = 0;
    // A leading "=" belongs to the name.
    for (; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code === EQUALS ? at > nameStart : code === GREATER || code === SLASH || isSpace(code)) break;
      hash = addToHash(hash, lowerCase(code));
    }
    const nameEnd = at;
    this.#at = at;
    let start = 0;
    let end = 0;
    if (this.#skipSpace() === EQUALS) {
      this.#at += 1;
      const code = this.#skipSpace();
      start = this.#at;
      if (code === QUOTE || code === APOSTROPHE) {
        start += 1;
        end = source.indexOf(code === QUOTE ? '"' : "'", start);
        this.#at = end === -1 ? source.length : end + 1;
        if (end === -1) return;
      } else {
        end = this.#unquotedEnd();
        this.#at = end;
      }
    }
    const tree = this.#tree;
    if (tree.attributeCount - firstAttribute >= MAX_ATTRIBUTES) return;
    const name = tree.attributeNames.find(source, nameStart, nameEnd, hash);
    const decoded =
      start < end && this.#holdsReference(start, end) ? decodeHTMLAttribute(source.slice(start, end)) : undefined;
    tree.addAttribute(firstAttribute, name, start, end, decoded);
  }

  #unquotedEnd(): number {
    let at = this.#at;
    let code = this.#source.charCodeAt(at);
    while (code !== GREATER && !isSpace(code) && at < this.#source.length) code = this.#source.charCodeAt(++at);
    return at;
  }

  #endTag(): void {
    this.#at += 1;
    if (!isLetter(this.#source.charCodeAt(this.#at))) {
      // "</>" is ignored, and "</" before anything but a letter starts a comment.
      this.#skipPast('>');
      return;
    }
    const tag = this.#tagName();
    // Attributes of end tags mean nothing, but may contain a ">".
    const attributes = this.#tree.attributeCount;
    for (let code = this.#skipSpace(); code !== GREATER; code = this.#skipSpace()) {
      if (Number.isNaN(code)) return;
      if (code === SLASH) this.#at += 1;
      else this.#attribute(attributes);
    }
    this.#at += 1;
    this.#tree.dropAttributes(attributes);
    this.#tokens.endTag(tag);
  }

  /** Everything up to the element's own end tag is text. */
  #rawText(tag: number): void {
    const source = this.#source;
    const start = this.#at;
    const name = this.#tree.tags.names[tag]!;
    let end = tag === TAG.plaintext ? -1 : source.indexOf('</', start);
    while (end !== -1 && !this.#isEndTag(end + 2, name)) end = source.indexOf('</', end + 2);
    if (end === -1) end = source.length;
    this.#at = end;
    if (end === start) return;
    // Titles and text fields are the only raw text elements with character references.
    if (tag === TAG.title || tag === TAG.textarea) this.#text(start, end);
    else this.#tokens.text(start, end, undefined);
  }

  #isEndTag(at: number, name: string): boolean {
    const source = this.#source;
    for (let step = 0; step < name.length; step++) {
      if (lowerCase(source.charCodeAt(at + step)) !== name.charCodeAt(step)) return false;
    }
    const after = source.charCodeAt(at + name.length);
    return after === GREATER || after === SLASH || isSpace(after);
  }

  /** Comments, doctypes and processing instructions. */
  #skipComment(first: number): void {
    const source = this.#source;
    const at = this.#at + 1;
    if (first === EXCLAMATION && source.charCodeAt(at) === HYPHEN && source.charCodeAt(at + 1) === HYPHEN) {
      // "<!-->" and "<!--->" are complete comments. "--!>" would end one too, but no page needs that.
      this.#at = at;
      const code = source.charCodeAt(at + 2);
      if (code === GREATER || (code === HYPHEN && source.charCodeAt(at + 3) === GREATER)) this.#skipPast('>');
      else {
        this.#at = at + 2;
        this.#skipPast('-->');
      }
    } else this.#skipPast('>');
  }

  #skipPast(end: string): void {
    const found = this.#source.indexOf(end, this.#at);
    this.#at = found === -1 ? this.#source.length : found + end.length;
  }
}
