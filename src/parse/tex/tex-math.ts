// Formulas: kept as TeX, in an element that the transform knows as a formula.
import { escapeHtml } from '../../markup/html/escape-html.ts';

/** A backslash before it makes it a sign of the formula. */
const COMMENT = /(^|[^\\])%[^\n]*/g;
const BESIDE = /\\(?:nonumber|notag)(?![a-zA-Z])|\\label\{[^{}]{0,200}\}/g;

/** Without comments, numbers and names: those belong to the source. */
export const bareMath = (tex: string): string => tex.replace(COMMENT, '$1').replace(BESIDE, '').trim();

export function mathHtml(tex: string, display: boolean): string {
  const clean = escapeHtml(bareMath(tex));
  if (clean === '') return '';
  const math = `<math${display ? ' display="block"' : ''} alttext="${clean}"><mtext>${clean}</mtext></math>`;
  return display ? `\n<p>${math}</p>\n` : math;
}
