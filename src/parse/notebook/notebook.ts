// Jupyter notebooks (nbformat 3 and 4): the texts as they are written, the code in fences, and what it printed.
import { ServiceError } from '../../contracts/errors.ts';
import { createEmbeddedPictures, type EmbeddedPictures } from '../embedded-pictures.ts';
import type { FormatParser } from '../format-parser.ts';
import { damagedFile } from '../parse-errors.ts';
import { closedMarkdown, fenced } from './cell-markdown.ts';
import { outputMarkdown } from './cell-outputs.ts';
import { type Json, listOf, recordOf, sourceOf } from './json-values.ts';

const MAX_CELLS = 20_000;
const TITLE = /^#\s+(\S.{0,300})$/m;

export const parseNotebook: FormatParser = async ({ bytes }) => {
  const notebook = recordOf(readJson(bytes));
  const about = recordOf(notebook.metadata);
  const language = languageOf(about);
  // Up to version 3 the cells stood in worksheets, of which there was only ever one.
  const cells =
    notebook.cells === undefined
      ? listOf(notebook.worksheets).flatMap((each) => listOf(recordOf(each).cells))
      : listOf(notebook.cells);
  if (notebook.nbformat === undefined && cells.length === 0) throw damagedFile('it is no notebook.');
  const pictures = createEmbeddedPictures();
  const blocks = cells.slice(0, MAX_CELLS).flatMap((cell) => cellMarkdown(recordOf(cell), language, pictures));
  const markdown = blocks.filter((block) => block !== '').join('\n\n');
  const warnings = cells.length > MAX_CELLS ? [`Only the first ${MAX_CELLS} cells of the notebook were read.`] : [];
  return { body: { markdown }, metadata: metadataOf(about, cells.map(recordOf)), warnings };
};

function readJson(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch (error) {
    // The parser recurses: what is nested too deeply ends as a RangeError.
    if (error instanceof RangeError) throw new ServiceError('DOCUMENT_TOO_COMPLEX', { cause: error });
    throw damagedFile('it is no JSON.', error);
  }
}

function cellMarkdown(cell: Record<string, Json>, language: string, pictures: EmbeddedPictures): string[] {
  const source = sourceOf(cell.source ?? cell.input);
  switch (cell.cell_type) {
    case 'markdown':
      return [closedMarkdown(source, recordOf(cell.attachments), pictures)];
    case 'heading':
      return [`${'#'.repeat(Math.min(6, Math.max(1, Number(cell.level) || 1)))} ${source.replace(/\s+/g, ' ').trim()}`];
    case 'code':
      return [
        source.trim() === '' ? '' : fenced(source, String(cell.language ?? language)),
        ...listOf(cell.outputs).map((output) => outputMarkdown(recordOf(output), pictures)),
      ];
    default:
      return [source.trim() === '' ? '' : fenced(source, '')];
  }
}

/** Of the kernel; old notebooks name it in each cell. */
function languageOf(about: Record<string, Json>): string {
  const name = recordOf(about.language_info).name ?? recordOf(about.kernelspec).language;
  return typeof name === 'string' && /^[\w+#.-]{1,30}$/.test(name) ? name.toLowerCase() : 'python';
}

function metadataOf(about: Record<string, Json>, cells: Record<string, Json>[]): Record<string, string> {
  const heading = cells
    .slice(0, 3)
    .map(titleOf)
    .find((title) => title !== undefined);
  const title = typeof about.title === 'string' && about.title !== '' ? about.title : heading;
  const author = listOf(about.authors)
    .map((each) => (typeof each === 'string' ? each : recordOf(each).name))
    .filter((name) => typeof name === 'string' && name !== '')
    .join(', ');
  return { ...(title && { title }), ...(author && { author }) };
}

function titleOf({ cell_type, source }: Record<string, Json>): string | undefined {
  const text = sourceOf(source);
  if (cell_type === 'heading') return text.trim() || undefined;
  return cell_type === 'markdown' ? TITLE.exec(text)?.[1]?.trim() : undefined;
}
