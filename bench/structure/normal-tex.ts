// Rewrites TeX in one form, so that two ways to write the same formula compare as equal: one name per symbol, no spaces that
// only set the distance, no braces around a single token, no sizes of brackets.

const SAME: Record<string, string> = {
  leq: 'le',
  geq: 'ge',
  neq: 'ne',
  rightarrow: 'to',
  dots: 'ldots',
  lvert: 'vert',
  rvert: 'vert',
  lVert: '|',
  rVert: '|',
  Vert: '|',
  mid: 'vert',
  dfrac: 'frac',
  tfrac: 'frac',
  colon: ':',
  lbrace: '{',
  rbrace: '}',
  land: 'wedge',
  lor: 'vee',
  overline: 'bar',
  widehat: 'hat',
  widetilde: 'tilde',
  overrightarrow: 'vec',
  prime: "'",
  operatorname: 'mathrm',
  mbox: 'text',
  textrm: 'text',
  rm: 'mathrm',
  mathbb: 'mathbb',
  mathscr: 'mathcal',
  boldsymbol: 'mathbf',
  varepsilon: 'epsilon',
  varphi: 'phi',
};
const NOTHING = new Set(
  'displaystyle textstyle scriptstyle limits nolimits left right middle big Big bigl bigr Bigl Bigr bigg Bigg quad qquad thinspace nonumber'.split(
    ' ',
  ),
);
/** Environments that only differ in what stands around them, which is then written out. */
const FENCES: Record<string, [string, string]> = {
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  vmatrix: ['\\vert', '\\vert'],
  Vmatrix: ['\\|', '\\|'],
  Bmatrix: ['\\{', '\\}'],
  cases: ['\\{', ''],
};
const TOKEN = /\\(?:begin|end)\s*\{[a-zA-Z*]+\}|\\[a-zA-Z]+\*?|\\.|[^\s\\]/gsu;

/** The tokens of the formula, with a space between them. */
export function normalTex(tex: string): string {
  const tokens: string[] = [];
  for (const [token] of tex.matchAll(TOKEN)) tokens.push(...normalToken(token));
  let text = withoutRowEnds(tokens).join(' ');
  for (let before = ''; before !== text; ) {
    before = text;
    // Braces around a single token, and empty ones.
    text = text
      .replace(/(^|\s)\{ (\\[a-zA-Z]+|[^\s{}\\]|\\.) \}(?=\s|$)/g, '$1$2')
      .replace(/(^|\s)\{ \}(?=\s|$)/g, '$1');
    text = text.replace(/ {2,}/g, ' ').trim();
  }
  // `'` is short for a raised prime.
  return text.replace(/\^ '/g, "'");
}

function normalToken(token: string): string[] {
  const environment = /^\\(begin|end)\s*\{([a-zA-Z]+)\*?\}$/.exec(token);
  if (environment) {
    const fence = FENCES[environment[2]!]?.[environment[1] === 'begin' ? 0 : 1] ?? '';
    const edge = environment[1] === 'begin' ? ['\\begin'] : ['\\end'];
    return environment[1] === 'begin' ? [...parts(fence), ...edge] : [...edge, ...parts(fence)];
  }
  if (token === '|') return ['\\vert'];
  if (/^\\[,;:!> ]$/.test(token) || token === '~') return [];
  const name = /^\\([a-zA-Z]+)\*?$/.exec(token)?.[1];
  if (name === undefined) return [token === '−' ? '-' : token];
  if (NOTHING.has(name)) return [];
  const same = Object.hasOwn(SAME, name) ? SAME[name]! : name;
  return [/^[a-zA-Z]/.test(same) ? `\\${same}` : same === '{' || same === '}' || same === '|' ? `\\${same}` : same];
}

const parts = (text: string): string[] => (text === '' ? [] : [text]);

/** A row end before the end of an environment says nothing. */
const withoutRowEnds = (tokens: readonly string[]): string[] =>
  tokens.filter((token, at) => !(token === '\\\\' && tokens[at + 1] === '\\end'));
