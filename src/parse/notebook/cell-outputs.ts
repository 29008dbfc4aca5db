// Writes outputs of code cells as Markdown, in the richest form that is readable as text.
import type { EmbeddedPictures } from '../embedded-pictures.ts';
import { closedMarkdown, codeFence } from './cell-markdown.ts';
import { htmlTable } from './html-table.ts';
import { asRecord, asText, type Json } from './json-values.ts';

const MAX_OUTPUT = 100_000;
/** Terminal escape sequences for colours and cursor movements. */
const ANSI = /\x1b(?:\[[\d;?]{0,40}[a-zA-Z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Version 3 stored the forms of an output under short names. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  markdown: 'text/markdown',
  latex: 'text/latex',
  png: 'image/png',
  jpeg: 'image/jpeg',
  json: 'application/json',
};

export function outputMarkdown(output: Record<string, Json>, pictures: EmbeddedPictures): string {
  switch (output.output_type) {
    case 'stream':
      return plainOutput(asText(output.text));
    case 'error':
    case 'pyerr':
      return plainOutput(errorText(output));
    default:
      return richestForm(formsOf(output), pictures);
  }
}

function formsOf(output: Record<string, Json>): Record<string, Json> {
  if (output.data !== undefined) return asRecord(output.data);
  return Object.fromEntries(
    Object.entries(SHORT_NAMES).flatMap(([short, type]) =>
      output[short] === undefined ? [] : [[type, output[short]]],
    ),
  );
}

function richestForm(forms: Record<string, Json>, pictures: EmbeddedPictures): string {
  const text = asText(forms['text/plain']);
  const markdown = asText(forms['text/markdown']);
  if (markdown !== '') return closedMarkdown(cut(markdown), {}, pictures);
  const table = htmlTable(asText(forms['text/html']));
  if (table !== undefined) return table;
  const latex = asText(forms['text/latex']).trim();
  if (/^\$.*\$$/s.test(latex)) return cut(latex);
  const type = PICTURES.find((each) => forms[each] !== undefined);
  if (type !== undefined) return picture(asText(forms[type]), text, pictures);
  return text === '' && forms['application/json'] !== undefined
    ? jsonBlock(forms['application/json'])
    : plainOutput(text);
}

function jsonBlock(value: Json): string {
  try {
    return codeFence(cut(JSON.stringify(value, null, 2)), 'json');
  } catch {
    // Nested too deeply to serialise.
    return '';
  }
}

/** Plotting libraries describe a picture as `<Figure size 640x480 with 1 Axes>`, which becomes the alt text. */
function picture(base64: string, text: string, pictures: EmbeddedPictures): string {
  const alt = text
    .replace(/^<|>$/g, '')
    .replace(/[[\]\\`*_<>\s]+/g, ' ')
    .trim()
    .slice(0, 200);
  const uri = pictures.dataUri(base64, () => Buffer.from(base64, 'base64'));
  return uri === undefined ? plainOutput(text) : `![${alt}](${uri})`;
}

function errorText({ ename, evalue, traceback }: Record<string, Json>): string {
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string').join('\n') : '';
  return lines || `${asText(ename)}: ${asText(evalue)}`;
}

function plainOutput(text: string): string {
  const lines = text.replace(ANSI, '').split('\n').map(finalLine);
  const shown = cut(lines.join('\n'));
  return shown.trim() === '' ? '' : codeFence(shown, '');
}

/** Progress bars overwrite a line repeatedly; only the final state is kept. */
function finalLine(line: string): string {
  const states = line.split('\r').filter((state) => state !== '');
  return states.at(-1) ?? '';
}

const cut = (text: string): string => (text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT)}\n…`);
