// Splits XML into tags and texts. It takes the source in pieces of any size, looks at each character once, and holds back
// no more than the tag or text it is in. It knows nothing of nesting, and decodes nothing.

export interface XmlTokens {
  /** `attributes` holds names and values in turn, the values as written. */
  startTag(name: string, attributes: readonly string[], isEmpty: boolean): void;
  endTag(name: string): void;
  /** As written, with its references. */
  text(raw: string): void;
  cdata(text: string): void;
  /** Something that is not XML. Unless this throws, scanning goes on. */
  fault(message: string): void;
}

type Mode = 'text' | 'markup' | 'tag' | 'comment' | 'cdata' | 'instruction' | 'doctype' | 'doctype comment';

const SECTION_END = { comment: '-->', cdata: ']]>', instruction: '?>', 'doctype comment': '-->' } as const;
const NO_ATTRIBUTES: string[] = [];
const COMMENT_START = '!--';
const CDATA_START = '![CDATA[';
const EXCLAMATION = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

const isSpace = (code: number): boolean => code === 32 || (code <= 13 && code >= 9);
const isQuote = (code: number): boolean => code === QUOTE || code === APOSTROPHE;
/** Letters, `_`, `:`, and everything beyond ASCII. */
const startsName = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58 || code >= 128;

export class XmlScanner {
  readonly #tokens: XmlTokens;
  #mode: Mode = 'text';
  #text = '';
  /** What has been read of a tag, or the last characters of a section that may be part of its end. */
  #pending = '';
  /** The character that ends the quoted value being read, or 0. */
  #quote = 0;
  #inSubset = false;
  /** Characters of a comment, instruction or doctype that were read and not kept. */
  #skipped = 0;
  #isStopped = false;

  constructor(tokens: XmlTokens) {
    this.#tokens = tokens;
  }

  /** The length of the tag, text or comment that is not complete yet. */
  get tokenLength(): number {
    return this.#text.length + this.#pending.length + this.#skipped;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  write(piece: string): void {
    let at = 0;
    while (at < piece.length && !this.#isStopped) at = this.#step(piece, at);
  }

  end(): void {
    if (this.#mode !== 'text') this.#tokens.fault(`The file ends inside a ${this.#mode}.`);
    if (this.#mode !== 'cdata') this.#flushText();
  }

  /** Ignores the rest of the source. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Reads one token, or the part of it that this piece holds. Gives the position after it. */
  #step(piece: string, at: number): number {
    switch (this.#mode) {
      case 'text':
        return this.#readText(piece, at);
      case 'markup':
        return this.#chooseMode(piece, at);
      case 'tag':
        return this.#readTag(piece, at);
      case 'doctype':
        return this.#skipDoctype(piece, at);
      default:
        return this.#readSection(piece, at, this.#mode);
    }
  }

  #readText(piece: string, at: number): number {
    const less = piece.indexOf('<', at);
    this.#text += piece.slice(at, less === -1 ? piece.length : less);
    if (less === -1) return piece.length;
    this.#mode = 'markup';
    return less + 1;
  }

  #flushText(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#tokens.text(text);
  }

  /** Right after "<": decides by as few characters as possible, since the piece may end between them. */
  #chooseMode(piece: string, at: number): number {
    const code = piece.charCodeAt(at);
    if (this.#pending === '') {
      if (code === SLASH || startsName(code)) return this.#enter('tag', at);
      if (code === QUESTION) return this.#enter('instruction', at + 1);
      if (code !== EXCLAMATION) {
        this.#tokens.fault('A "<" starts neither a tag nor a comment.');
        this.#text += '<';
        this.#mode = 'text';
        return at;
      }
    }
    const lead = this.#pending + piece[at];
    if (lead === COMMENT_START) return this.#enter('comment', at + 1);
    if (lead === CDATA_START) return this.#enter('cdata', at + 1);
    if (!CDATA_START.startsWith(lead) && !COMMENT_START.startsWith(lead)) return this.#enter('doctype', at);
    this.#pending = lead;
    return at + 1;
  }

  #enter(mode: Mode, at: number): number {
    this.#flushText();
    this.#mode = mode;
    this.#pending = '';
    this.#quote = 0;
    this.#inSubset = false;
    this.#skipped = 0;
    return at;
  }

  #leave(): void {
    this.#mode = 'text';
    this.#pending = '';
    this.#skipped = 0;
  }

  /** Comments, CDATA sections and processing instructions: up to their end marks, which pieces may cut in two. */
  #readSection(piece: string, at: number, mode: keyof typeof SECTION_END): number {
    const end = SECTION_END[mode];
    const held = this.#pending.length;
    const section = this.#pending + piece.slice(at);
    const found = section.indexOf(end);
    const stop = found === -1 ? Math.max(0, section.length - end.length + 1) : found;
    if (mode === 'cdata') this.#text += section.slice(0, stop);
    else this.#skipped += stop;
    this.#pending = found === -1 ? section.slice(stop) : '';
    if (found === -1) return piece.length;
    if (mode === 'doctype comment') this.#mode = 'doctype';
    else this.#leave();
    if (mode === 'cdata') {
      const text = this.#text;
      this.#text = '';
      this.#tokens.cdata(text);
    }
    return at + found + end.length - held;
  }

  /** Declarations of entities are skipped like everything else in it, so that none can ever be expanded. */
  #skipDoctype(piece: string, at: number): number {
    for (let here = at; here < piece.length; here++) {
      const code = piece.charCodeAt(here);
      this.#pending = this.#pending.slice(-3) + piece[here];
      if (this.#quote !== 0) {
        if (code === this.#quote) this.#quote = 0;
      } else if (this.#pending === '<!--') {
        this.#pending = '';
        this.#mode = 'doctype comment';
        return here + 1;
      } else if (isQuote(code)) this.#quote = code;
      else if (piece[here] === '[') this.#inSubset = true;
      else if (piece[here] === ']') this.#inSubset = false;
      else if (code === GREATER && !this.#inSubset) {
        this.#leave();
        return here + 1;
      }
    }
    this.#skipped += piece.length - at;
    return piece.length;
  }

  #readTag(piece: string, at: number): number {
    let here = at;
    while (true) {
      if (this.#quote !== 0) {
        const close = piece.indexOf(this.#quote === QUOTE ? '"' : "'", here);
        if (close === -1) break;
        this.#quote = 0;
        here = close + 1;
      }
      let code = piece.charCodeAt(here);
      while (code !== GREATER && code !== QUOTE && code !== APOSTROPHE && here < piece.length) {
        code = piece.charCodeAt(++here);
      }
      if (here >= piece.length) break;
      if (code === GREATER) {
        const tag = this.#pending === '' ? piece.slice(at, here) : this.#pending + piece.slice(at, here);
        this.#leave();
        this.#tag(tag);
        return here + 1;
      }
      this.#quote = code;
      here += 1;
    }
    this.#pending += piece.slice(at);
    return piece.length;
  }

  #tag(tag: string): void {
    if (tag.charCodeAt(0) === SLASH) {
      this.#tokens.endTag(tag.slice(1).trimEnd());
      return;
    }
    const isEmpty = tag.charCodeAt(tag.length - 1) === SLASH;
    const end = isEmpty ? tag.length - 1 : tag.length;
    let at = 0;
    while (at < end && !isSpace(tag.charCodeAt(at))) at += 1;
    const name = tag.slice(0, at);
    const attributes: string[] = at === end ? NO_ATTRIBUTES : [];
    while (at < end) {
      if (isSpace(tag.charCodeAt(at))) at += 1;
      else at = this.#attribute(tag, at, end, attributes);
    }
    this.#tokens.startTag(name, attributes, isEmpty);
  }

  /** Values may be missing or unquoted, which is a fault but says what is meant. */
  #attribute(tag: string, start: number, end: number, attributes: string[]): number {
    let at = start;
    while (at < end && tag.charCodeAt(at) !== EQUALS && !isSpace(tag.charCodeAt(at))) at += 1;
    const name = tag.slice(start, at);
    if (!startsName(name.charCodeAt(0))) this.#tokens.fault('An attribute has no valid name.');
    while (at < end && isSpace(tag.charCodeAt(at))) at += 1;
    if (tag.charCodeAt(at) !== EQUALS || at >= end) {
      this.#tokens.fault(`The attribute ${name} has no value.`);
      attributes.push(name, '');
      return at;
    }
    at += 1;
    while (at < end && isSpace(tag.charCodeAt(at))) at += 1;
    const code = tag.charCodeAt(at);
    const quoted = at < end && isQuote(code);
    const from = quoted ? at + 1 : at;
    let to = quoted ? tag.indexOf(tag[at]!, from) : from;
    if (!quoted) {
      this.#tokens.fault(`The value of the attribute ${name} is not quoted.`);
      while (to < end && !isSpace(tag.charCodeAt(to))) to += 1;
    }
    if (to === -1) to = end;
    attributes.push(name, tag.slice(from, to));
    return quoted ? to + 1 : to;
  }
}
