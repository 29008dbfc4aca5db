// Commands for accents, letters and symbols.

const ACCENTS: Readonly<Record<string, string>> = {
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '"': '\u0308',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  u: '\u0306',
  v: '\u030c',
  H: '\u030b',
  c: '\u0327',
  k: '\u0328',
  r: '\u030a',
  d: '\u0323',
  b: '\u0331',
};

const SYMBOLS: Readonly<Record<string, string>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  j: 'ȷ',
  dh: 'ð',
  th: 'þ',
  ldots: '…',
  dots: '…',
  textellipsis: '…',
  textendash: '–',
  textemdash: '—',
  textquoteleft: '‘',
  textquoteright: '’',
  textquotedblleft: '“',
  textquotedblright: '”',
  guillemotleft: '«',
  guillemotright: '»',
  textquotesingle: "'",
  textasciigrave: '`',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textunderscore: '_',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textdollar: '$',
  texteuro: '€',
  euro: '€',
  pounds: '£',
  textsterling: '£',
  copyright: '©',
  textcopyright: '©',
  textregistered: '®',
  texttrademark: '™',
  textdegree: '°',
  S: '§',
  P: '¶',
  dag: '†',
  ddag: '‡',
  textbullet: '•',
  TeX: 'TeX',
  LaTeX: 'LaTeX',
  LaTeXe: 'LaTeX2e',
  BibTeX: 'BibTeX',
  quad: ' ',
  qquad: ' ',
  enspace: ' ',
  thinspace: ' ',
  space: ' ',
  ' ': ' ',
  '\n': ' ',
  ',': ' ',
  ';': ' ',
  ':': ' ',
  '!': '',
  '-': '',
  '/': '',
  '@': '',
  '&': '&',
  '%': '%',
  $: '$',
  '#': '#',
  _: '_',
  '{': '{',
  '}': '}',
};

export const symbolOf = (name: string): string | undefined =>
  Object.hasOwn(SYMBOLS, name) ? SYMBOLS[name] : undefined;

export const isAccent = (name: string): boolean => Object.hasOwn(ACCENTS, name);

/** The accented letter; \i and \j count as i and j. */
export function accented(accent: string, argument: string): string {
  const letter = argument.trim().replace(/^\\([ij])$/, '$1');
  if (letter === '') return accent.length === 1 && /\W/.test(accent) ? accent : '';
  const [first = '', ...rest] = letter;
  return (first + (ACCENTS[accent] ?? '')).normalize('NFC') + rest.join('');
}

/** Replaces the TeX input for quotation marks and dashes. */
export const applyLigatures = (text: string): string =>
  text.replace(/---?|``|''|`/g, (found) => LIGATURES[found] ?? found);

const LIGATURES: Readonly<Record<string, string>> = { '---': '—', '--': '–', '``': '“', "''": '”', '`': '‘' };
