// What the code of a notebook printed: the richest form of each output that can be read as text.
import type { EmbeddedPictures } from '../embedded-pictures.ts';
import { closedMarkdown, fenced } from './cell-markdown.ts';
import { htmlTable } from './html-table.ts';
import { type Json, recordOf, sourceOf } from './json-values.ts';

const MAX_OUTPUT = 100_000;
/** Colours and cursor movements of terminals. */
const ANSI = /\x1b(?:\[[\d;?]{0,40}[a-zA-Z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])/g;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Version 3 had the forms of an output beside its other fields, under short names. */
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
      return plain(sourceOf(output.text));
    case 'error':
    case 'pyerr':
      return plain(errorText(output));
    default:
      return richest(formsOf(output), pictures);
  }
}

function formsOf(output: Record<string, Json>): Record<string, Json> {
  if (output.data !== undefined) return recordOf(output.data);
  return Object.fromEntries(
    Object.entries(SHORT_NAMES).flatMap(([short, type]) =>
      output[short] === undefined ? [] : [[type, output[short]]],
    ),
  );
}

function richest(forms: Record<string, Json>, pictures: EmbeddedPictures): string {
  const text = sourceOf(forms['text/plain']);
  const markdown = sourceOf(forms['text/markdown']);
  if (markdown !== '') return closedMarkdown(cut(markdown), {}, pictures);
  const table = htmlTable(sourceOf(forms['text/html']));
  if (table !== undefined) return table;
  const latex = sourceOf(forms['text/latex']).trim();
  if (/^\$.*\$$/s.test(latex)) return cut(latex);
  const type = PICTURES.find((each) => forms[each] !== undefined);
  if (type !== undefined) return picture(sourceOf(forms[type]), text, pictures);
  return text === '' && forms['application/json'] !== undefined ? jsonBlock(forms['application/json']) : plain(text);
}

function jsonBlock(value: Json): string {
  try {
    return fenced(cut(JSON.stringify(value, null, 2)), 'json');
  } catch {
    // Nested deeper than can be written; nobody would read it.
    return '';
  }
}

/** Plotting libraries describe a picture as `<Figure size 640x480 with 1 Axes>`, which is all there is to say of it. */
function picture(base64: string, text: string, pictures: EmbeddedPictures): string {
  const alt = text
    .replace(/^<|>$/g, '')
    .replace(/[[\]\\`*_<>\s]+/g, ' ')
    .trim()
    .slice(0, 200);
  const uri = pictures.dataUri(base64, () => Buffer.from(base64, 'base64'));
  return uri === undefined ? plain(text) : `![${alt}](${uri})`;
}

function errorText({ ename, evalue, traceback }: Record<string, Json>): string {
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string').join('\n') : '';
  return lines || `${sourceOf(ename)}: ${sourceOf(evalue)}`;
}

function plain(text: string): string {
  const lines = text.replace(ANSI, '').split('\n').map(lastWritten);
  const shown = cut(lines.join('\n'));
  return shown.trim() === '' ? '' : fenced(shown, '');
}

/** A progress bar writes the same line over and over; the last state is what stays on the screen. */
function lastWritten(line: string): string {
  const states = line.split('\r').filter((state) => state !== '');
  return states.at(-1) ?? '';
}

const cut = (text: string): string => (text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT)}\n…`);
