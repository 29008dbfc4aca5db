// The words of a heading, without its markup.
import { MARKUP, plainLine } from '../passages/plain-line.ts';
import { contentOf } from './markdown-lines.ts';
import type { ScannedBlock } from './scan-blocks.ts';

/** They stand beside every chunk below the heading. */
const LONGEST = 160;
const MAX_READ = 2_000;
const HEADING_SIGNS = /^ {0,3}#{1,6}[ \t]*|[ \t]+#+[ \t]*$/g;
const MARKED = /[[\]*_`~<\\]/;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
/** Escaped signs are letters while markup is taken away. */
const ESCAPED_SIGNS = 0xe000;
const HIDDEN_SIGN = /[\ue000-\ue07f]/g;

export function headingText({ lines, first }: Pick<ScannedBlock, 'lines' | 'first'>): string {
  const line = contentOf(lines, first).slice(0, MAX_READ).replace(HEADING_SIGNS, '');
  if (!MARKED.test(line)) return shortened(line, LONGEST);
  const hidden = line.replace(ESCAPED, (_, sign: string) => String.fromCharCode(ESCAPED_SIGNS + sign.charCodeAt(0)));
  const plain = plainLine(hidden).text.replaceAll(MARKUP, '');
  return shortened(
    plain.replace(HIDDEN_SIGN, (sign) => String.fromCharCode(sign.charCodeAt(0) - ESCAPED_SIGNS)),
    LONGEST,
  );
}

/** On one line, and never longer. */
export function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`;
}
