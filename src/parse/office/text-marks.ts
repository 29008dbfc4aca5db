// What the office engine has no words for (raised text, formulas, code, quotations) passes through it as marks in the text:
// code points that Unicode reserves for use inside a program. A file that holds them all the same gains tags of its own choice
// among these few, and nothing else.
import { escapeHtml } from '../../markup/html/escape-html.ts';

export const MARK = {
  sup: '\ufdd0',
  supEnd: '\ufdd1',
  sub: '\ufdd2',
  subEnd: '\ufdd3',
  code: '\ufdd4',
  codeEnd: '\ufdd5',
  /** The same, where only the font says so. */
  monospaced: '\ufddc',
  monospacedEnd: '\ufddd',
  /** Before the number of a formula, and after it. */
  formula: '\ufdd6',
  formulaEnd: '\ufdd7',
  /** At the start of a paragraph: it is a line of code, a quotation, the title. */
  codeLine: '\ufdd8',
  monospacedLine: '\ufdde',
  quote: '\ufdd9',
  title: '\ufdda',
  /** At the start of an item, once for each level that it stands deeper. */
  deeper: '\ufddb',
} as const;

const ANY = /[\ufdd0-\ufdef]/g;
const TOKEN = /\ufdd6(\d{1,7})\ufdd7|[\ufdd0-\ufdef]/g;

const MONOSPACED = /[\ufddc-\ufdde]/g;

export const withoutFontMarks = (text: string): string => text.replace(MONOSPACED, '');

export const withoutMarks = (text: string): string => text.replace(ANY, '');

export interface Formula {
  /** HTML: a math element. */
  html: string;
}

export type Formulas = Formula[];

export const formulaMark = (formulas: Formulas, html: string): string =>
  `${MARK.formula}${formulas.push({ html }) - 1}${MARK.formulaEnd}`;

const TAGS: Readonly<Record<string, string>> = {
  [MARK.sup]: '<sup>',
  [MARK.supEnd]: '</sup>',
  [MARK.sub]: '<sub>',
  [MARK.subEnd]: '</sub>',
  [MARK.code]: '<code>',
  [MARK.codeEnd]: '</code>',
  [MARK.monospaced]: '<code>',
  [MARK.monospacedEnd]: '</code>',
};

/** Text with its marks as HTML. */
export function markedHtml(text: string, formulas: Formulas): string {
  let html = '';
  let from = 0;
  for (const found of text.matchAll(TOKEN)) {
    html += escapeHtml(text.slice(from, found.index));
    html += found[1] === undefined ? (TAGS[found[0]] ?? '') : (formulas[Number(found[1])]?.html ?? '');
    from = found.index + found[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

/** A formula as HTML that says its TeX to programs and to people. */
export function texHtml(tex: string, display: boolean): string {
  const text = escapeHtml(tex);
  return `<math${display ? ' display="block"' : ''}><semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math>`;
}
