// A line of Markdown without its markup: same length, with MARKUP in place of signs and addresses, so that positions in
// both are the same.

/** Counts as a space for words and sentences. */
export const MARKUP = '\u0001';

const DESTINATION = /\((?:[^()\s]|\([^()\s]{0,500}\)){0,2000}(?:\s{1,3}"[^"\n]{0,300}")?\)/.source;
const IMAGE = new RegExp(`!\\[[^\\]\\n]{0,500}\\]${DESTINATION}`, 'g');
const LINK = new RegExp(`\\[((?:[^[\\]\\n]|\\[[^[\\]\\n]{0,100}\\]){0,1000})\\](${DESTINATION})`, 'g');
const TAG = /<\/?[a-z][^<>\n]{0,500}>/gi;
const EMPHASIS = /\*+|`+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
/** A sentence does not end inside the text of a link: half a link could not be read. */
const SENTENCE_END = /[.!?…。！？｡](?=\s|$|[^\x00-\x7f])/g;

export interface PlainLine {
  text: string;
  /** How many characters are the text of links. */
  linked: number;
}

export function plainLine(line: string): PlainLine {
  let linked = 0;
  const text = line
    .replace(IMAGE, blank)
    .replace(LINK, (_, label: string, destination: string) => {
      linked += label.length;
      return `${MARKUP}${label.replace(SENTENCE_END, ',')}${blank(`]${destination}`)}`;
    })
    .replace(TAG, blank)
    .replace(EMPHASIS, blank);
  return { text, linked };
}

const blank = (text: string): string => MARKUP.repeat(text.length);
