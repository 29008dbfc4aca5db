// Parses Jupyter notebooks (nbformat 3 and 4): Markdown cells as they are, code and its outputs in fences.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { createEmbeddedPictures, type EmbeddedPictures } from '../embedded-pictures.ts';
import type { FormatParser } from '../format-parser.ts';
import { damagedFile } from '../parse-errors.ts';
import { closedMarkdown, codeFence } from './cell-markdown.ts';
import { outputMarkdown } from './cell-outputs.ts';
import { asList, asRecord, asText, type Json } from './json-values.ts';

const MAX_CELLS = 20_000;
const TITLE = /^#\s+(\S.{0,300})$/m;

export const parseNotebook: FormatParser = async ({ bytes }) => {
  const notebook = asRecord(readJson(bytes));
  const about = asRecord(notebook.metadata);
  const language = languageOf(about);
  // Up to version 3 the cells were in worksheets, of which there was only ever one.
  const cells =
    notebook.cells === undefined
      ? asList(notebook.worksheets).flatMap((each) => asList(asRecord(each).cells))
      : asList(notebook.cells);
  if (notebook.nbformat === undefined && cells.length === 0) throw damagedFile('It is not a Jupyter notebook.');
  const pictures = createEmbeddedPictures();
  const blocks = cells.slice(0, MAX_CELLS).flatMap((cell) => cellMarkdown(asRecord(cell), language, pictures));
  const markdown = blocks.filter((block) => block !== '').join('\n\n');
  const warnings = cells.length > MAX_CELLS ? [`Only the first ${MAX_CELLS} cells of the notebook were read.`] : [];
  return { body: { markdown }, metadata: metadataOf(about, cells.map(asRecord)), warnings };
};

function readJson(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch (error) {
    // JSON.parse throws a RangeError when the nesting is too deep.
    if (error instanceof RangeError) throw new ServiceError('DOCUMENT_TOO_COMPLEX', { cause: error });
    throw damagedFile('It is not valid JSON.', error);
  }
}

function cellMarkdown(cell: Record<string, Json>, language: string, pictures: EmbeddedPictures): string[] {
  const source = asText(cell.source ?? cell.input);
  switch (cell.cell_type) {
    case 'markdown':
      return [closedMarkdown(source, asRecord(cell.attachments), pictures)];
    case 'heading':
      return [`${'#'.repeat(Math.min(6, Math.max(1, Number(cell.level) || 1)))} ${source.replace(/\s+/g, ' ').trim()}`];
    case 'code':
      return [
        source.trim() === '' ? '' : codeFence(source, String(cell.language ?? language)),
        ...asList(cell.outputs).map((output) => outputMarkdown(asRecord(output), pictures)),
      ];
    default:
      return [source.trim() === '' ? '' : codeFence(source, '')];
  }
}

/** The language of the kernel; old notebooks name it in each cell instead. */
function languageOf(about: Record<string, Json>): string {
  const name = asRecord(about.language_info).name ?? asRecord(about.kernelspec).language;
  return typeof name === 'string' && /^[\w+#.-]{1,30}$/.test(name) ? name.toLowerCase() : 'python';
}

function metadataOf(about: Record<string, Json>, cells: Record<string, Json>[]): Record<string, string> {
  const heading = cells
    .slice(0, 3)
    .map(titleOf)
    .find((title) => title !== undefined);
  const title = typeof about.title === 'string' && about.title !== '' ? about.title : heading;
  const author = asList(about.authors)
    .map((each) => (typeof each === 'string' ? each : asRecord(each).name))
    .filter((name) => typeof name === 'string' && name !== '')
    .join(', ');
  return { ...(title && { title }), ...(author && { author }) };
}

function titleOf({ cell_type, source }: Record<string, Json>): string | undefined {
  const text = asText(source);
  if (cell_type === 'heading') return text.trim() || undefined;
  return cell_type === 'markdown' ? TITLE.exec(text)?.[1]?.trim() : undefined;
}
