// Recognises HTML, XML and feeds by their first tags, in bytes.

/** Also the no-break space of Latin-1. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d) || byte === 0xa0;

export function skipSpace(text: Buffer, from: number): number {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
}

const [OPEN, CLOSE, SLASH, BANG, QUESTION] = [0x3c, 0x3e, 0x2f, 0x21, 0x3f];
const LONGEST_NAME = 8;
const HTML_TAGS = new Set(
  'html head body title meta script style link iframe div p h1 h2 h3 h4 h5 h6 table a br font ul ol img span form section article main header nav'.split(
    ' ',
  ),
);
/** Tags that XML of other vocabularies hardly has. */
const COMMON_TAGS = new Set('html head body div p br a script span table'.split(' '));
const FEEDS = new Set(['rss', 'feed', 'rdf:rdf']);
const MARKUP_STARTS = ['<!doctype', '<html', '<head', '<?xml', '<!--'];

export interface SniffedMarkup {
  text?: 'html' | 'xml' | 'feed';
  isHtmlRoot: boolean;
}

/** Whether markup begins here. What follows may be anything. */
export const isMarkupStart = (text: Buffer, at: number): boolean =>
  text[at] === OPEN && MARKUP_STARTS.some((start) => isAt(text, at, start));

export function sniffMarkup(text: Buffer, start: number): SniffedMarkup {
  if (text[start] !== OPEN) return { isHtmlRoot: false };
  const at = afterProlog(text, start);
  const hasDoctype = isHtmlDoctype(text, at);
  const tag = hasDoctype ? 'html' : tagAt(text, at);
  const isHtmlRoot = tag === 'html' && text[at + (hasDoctype ? doctypeLength(text, at) : 5)] !== SLASH;
  const isXml = isAt(text, start, '<?xml', true);
  // In a file with an XML declaration, names like `article` may belong to other vocabularies.
  if (isXml ? isHtmlRoot : HTML_TAGS.has(tag)) return { text: 'html', isHtmlRoot };
  const root = rootName(text, at);
  if (root === undefined) {
    if (isXml) return { text: 'xml', isHtmlRoot };
    return isAt(text, start, '<!--') ? { text: 'html', isHtmlRoot } : { isHtmlRoot };
  }
  if (FEEDS.has(root)) return { text: 'feed', isHtmlRoot };
  return { text: !isXml && hasMarkup(text, start) ? 'html' : 'xml', isHtmlRoot };
}

/** Whether there is a common HTML tag anywhere. */
export function hasMarkup(text: Buffer, from: number): boolean {
  for (let at = text.indexOf(OPEN, from); at >= 0; at = text.indexOf(OPEN, at + 1)) {
    if (COMMON_TAGS.has(tagAt(text, at))) return true;
  }
  return false;
}

/** Skips comments, processing instructions and doctypes other than HTML's. */
function afterProlog(text: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const end = isAt(text, at, '<!--')
      ? '-->'
      : text[at] === OPEN && text[at + 1] === QUESTION
        ? '?>'
        : isAt(text, at, '<!doctype') && !isHtmlNamed(text, at)
          ? '>'
          : undefined;
    const found = end === undefined ? -1 : text.indexOf(end, at, 'latin1');
    if (found < 0) return at;
    at = skipSpace(text, found + end!.length);
  }
}

const DOCTYPE = '<!doctype';

/** `<!doctype` with spaces and `html`, whatever follows. */
function isHtmlNamed(text: Buffer, at: number): boolean {
  const name = skipSpace(text, at + DOCTYPE.length);
  return name > at + DOCTYPE.length && isAt(text, name, 'html');
}

const doctypeLength = (text: Buffer, at: number): number => skipSpace(text, at + DOCTYPE.length) + 'html'.length - at;

const isHtmlDoctype = (text: Buffer, at: number): boolean =>
  text[at + 1] === BANG &&
  isAt(text, at, DOCTYPE) &&
  isHtmlNamed(text, at) &&
  isEnd(text[at + doctypeLength(text, at)]);

const isEnd = (byte: number | undefined): boolean => byte === CLOSE || byte === SLASH || isSpace(byte);

/** The name of the tag that opens here, in lower case; empty if it is longer than any that is looked for. */
function tagAt(text: Buffer, at: number): string {
  const from = at + 1;
  let end = from;
  while (end <= from + LONGEST_NAME && end < text.length && !isEnd(text[end])) end += 1;
  return text[at] === OPEN && isEnd(text[end]) ? text.toString('latin1', from, end).toLowerCase() : '';
}

/** The name of the root element, in lower case. */
const rootName = (text: Buffer, at: number): string | undefined =>
  /^<([a-z_][\w.:-]*)/i
    .exec(text.toString('latin1', at, Math.min(at + LONGEST_NAME + 2, text.length)))?.[1]
    ?.toLowerCase();

/** `word` is in lower case. */
function isAt(text: Buffer, at: number, word: string, isExact = false): boolean {
  for (let index = 0; index < word.length; index++) {
    const byte = text[at + index]!;
    const isUpper = !isExact && byte >= 0x41 && byte <= 0x5a;
    if ((isUpper ? byte + 0x20 : byte) !== word.charCodeAt(index)) return false;
  }
  return true;
}
