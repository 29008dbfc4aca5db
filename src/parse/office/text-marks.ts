// Marks carry what the office engine does not model (superscripts, formulas, code, quotations) through it as text. They
// are Unicode noncharacters. A file that contains them itself can only produce the few tags below.
import { escapeHtml } from '../../markup/html/escape-html.ts';

export const MARK = {
  sup: '\ufdd0',
  supEnd: '\ufdd1',
  sub: '\ufdd2',
  subEnd: '\ufdd3',
  code: '\ufdd4',
  codeEnd: '\ufdd5',
  /** Code recognised only by its font. */
  monospaced: '\ufddc',
  monospacedEnd: '\ufddd',
  /** Around the index of a formula. */
  formula: '\ufdd6',
  formulaEnd: '\ufdd7',
  /** At the start of a paragraph: a line of code, a quotation, the title. */
  codeLine: '\ufdd8',
  monospacedLine: '\ufdde',
  quote: '\ufdd9',
  title: '\ufdda',
  /** At the start of a list item, once per nesting level. */
  nested: '\ufddb',
} as const;

const ANY = /[\ufdd0-\ufdef]/g;
const TOKEN = /\ufdd6(\d{1,7})\ufdd7|[\ufdd0-\ufdef]/g;

const MONOSPACED = /[\ufddc-\ufdde]/g;

export const stripFontMarks = (text: string): string => text.replace(MONOSPACED, '');

export const stripMarks = (text: string): string => text.replace(ANY, '');

interface Formula {
  /** HTML: a math element. */
  html: string;
}

export type Formulas = Formula[];

export const addFormula = (formulas: Formulas, html: string): string =>
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

/** Replaces the marks in a text by HTML. */
export function marksToHtml(text: string, formulas: Formulas): string {
  let html = '';
  let from = 0;
  for (const found of text.matchAll(TOKEN)) {
    html += escapeHtml(text.slice(from, found.index));
    html += found[1] === undefined ? (TAGS[found[0]] ?? '') : (formulas[Number(found[1])]?.html ?? '');
    from = found.index + found[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

/** MathML that shows the TeX and also carries it as an annotation. */
export function texHtml(tex: string, display: boolean): string {
  const text = escapeHtml(tex);
  return `<math${display ? ' display="block"' : ''}><semantics><mtext>${text}</mtext><annotation encoding="application/x-tex">${text}</annotation></semantics></math>`;
}
