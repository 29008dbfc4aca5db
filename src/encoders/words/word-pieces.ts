// Splits text into words and each word into pieces of the model's vocabulary (WordPiece, lower case, without accents), with
// the position of every word in the original text.

export interface TokenizedWord {
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
  /** Numbers of its pieces in the vocabulary. */
  ids: readonly number[];
}

export const START_ID = 101;
export const END_ID = 102;
const UNKNOWN_ID = 100;
/** Longer words are unknown to the model. */
const MAX_WORD = 100;

const SPACE = /[\p{White_Space}]/u;
/** Neither shown nor part of words: control and format characters, private and unassigned ones, lone surrogates. */
const INVISIBLE = /[\p{C}\ufffd]/u;
const ACCENT = /\p{Mn}/u;
const PUNCTUATION = /[\p{P}$+<=>^`|~]/u;
/** Han characters are words of their own. */
const HAN = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;

export class WordPieces {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #longest: number;

  /** `vocabulary` has one piece a line; those that continue a word begin with `##`. */
  constructor(vocabulary: string) {
    const pieces = vocabulary.replace(/\n$/, '').split('\n');
    this.#ids = new Map(pieces.map((piece, id) => [piece, id]));
    this.#longest = Math.max(...pieces.map((piece) => piece.length));
  }

  words(text: string): TokenizedWord[] {
    const words: TokenizedWord[] = [];
    let letters = '';
    let start = 0;
    let end = 0;
    const finish = () => {
      if (letters !== '') words.push({ start, end, ids: this.#pieces(letters) });
      letters = '';
    };
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at)!;
      const next = at + (code > 0xffff ? 2 : 1);
      const kind = kindOf(code);
      if (kind === 'space') finish();
      else if (kind === 'alone') {
        finish();
        words.push({ start: at, end: next, ids: this.#pieces(plain(text.slice(at, next))) });
      } else if (kind === 'letter') {
        const added = code < 128 ? String.fromCharCode(code).toLowerCase() : plain(text.slice(at, next));
        if (added !== '') {
          if (letters === '') start = at;
          letters += added;
          end = next;
        }
      }
      at = next;
    }
    finish();
    return words;
  }

  /** The longest piece first, then the longest that continues it, and so on. */
  #pieces(word: string): number[] {
    const length = [...word].length;
    if (length > MAX_WORD) return [UNKNOWN_ID];
    const ids: number[] = [];
    for (let at = 0; at < word.length; ) {
      const prefix = at === 0 ? '' : '##';
      let end = Math.min(word.length, at + this.#longest);
      let id = this.#ids.get(prefix + word.slice(at, end));
      while (id === undefined && end > at + 1) {
        end -= 1;
        id = this.#ids.get(prefix + word.slice(at, end));
      }
      if (id === undefined) return [UNKNOWN_ID];
      ids.push(id);
      at = end;
    }
    return ids;
  }
}

type Kind = 'letter' | 'space' | 'alone' | 'invisible';

function kindOf(code: number): Kind {
  if (code < 128) return ASCII_KINDS[code]!;
  return kindByClass(String.fromCodePoint(code));
}

function kindByClass(character: string): Kind {
  if (SPACE.test(character)) return 'space';
  if (INVISIBLE.test(character)) return 'invisible';
  return HAN.test(character) || PUNCTUATION.test(character) ? 'alone' : 'letter';
}

const ASCII_KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) =>
  // As the tokenizer that the model was trained with: these two are dropped.
  code === 0x0b || code === 0x0c ? 'invisible' : kindByClass(String.fromCharCode(code)),
);

/** In lower case, without accents. */
function plain(character: string): string {
  let letters = '';
  for (const part of character.normalize('NFD')) if (!ACCENT.test(part)) letters += part.toLowerCase();
  return letters;
}
