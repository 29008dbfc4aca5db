// What the first bytes of a body say about it. They are scanned once (markup/sniff-head.ts), and this travels with them.

export interface SniffedHead {
  isEmpty: boolean;
  /** The binary type whose signature it has. */
  signed?: string;
  hasZeros: boolean;
  /** Begins with the byte order mark of UTF-16. */
  isUtf16: boolean;
  /** Begins like HTML or XML, whatever follows. */
  isMarkup: boolean;
  /** Has more control characters than text, which is only counted if there are zero bytes. */
  isNoise: boolean;
  /** The kind of text that it looks like. */
  text?: 'html' | 'json' | 'xml' | 'feed';
  /** Is an HTML document as a whole, and not only a part of one. */
  isHtmlRoot: boolean;
  /** Looks like JSON, but has tags. */
  hasTags: boolean;
}
