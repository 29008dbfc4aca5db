// Writes formulas as TeX inside a math element, which the transform recognises.
import { escapeHtml } from '../../markup/html/escape-html.ts';

/** An escaped % is a character of the formula. */
const COMMENT = /(^|[^\\])%[^\n]*/g;
const NOT_FORMULA = /\\(?:nonumber|notag)(?![a-zA-Z])|\\label\{[^{}]{0,200}\}/g;

/** Removes comments, labels and numbering commands. */
export const cleanMath = (tex: string): string => tex.replace(COMMENT, '$1').replace(NOT_FORMULA, '').trim();

export function mathHtml(tex: string, display: boolean): string {
  const clean = escapeHtml(cleanMath(tex));
  if (clean === '') return '';
  const math = `<math${display ? ' display="block"' : ''} alttext="${clean}"><mtext>${clean}</mtext></math>`;
  return display ? `\n<p>${math}</p>\n` : math;
}
