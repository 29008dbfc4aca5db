// A ZIP archive: the texts of each page as files named by its URL, and index.json, which says which files belong to which page.
import type { JobView } from '../../../store/job-store.ts';
import { createDeflatedText } from '../../../util/deflated-text.ts';
import { createZipWriter } from '../../../util/zip-writer.ts';
import { createFileNames } from './file-names.ts';
import { withFrontMatter } from './front-matter.ts';
import { type ExportedDocument, readDocuments } from './read-documents.ts';
import type { Slice } from './read-slices.ts';

interface PageFile {
  /** The field of the document that is in the file; `data`: all that have no file of their own. */
  content: 'markdown' | 'html' | 'rawHtml' | 'data';
  extension: string;
  text: string;
}

export async function* writeZip(
  slices: AsyncIterable<Slice>,
  { createdAt }: Pick<JobView, 'createdAt'>,
): AsyncGenerator<Uint8Array> {
  const zip = createZipWriter(new Date(createdAt));
  const names = createFileNames();
  const index = createDeflatedText();
  try {
    let before = '[\n';
    for await (const document of readDocuments(slices)) {
      const files = filesOf(document);
      const name = files.length > 0 ? names.nameOf(document.metadata.url ?? document.metadata.sourceURL ?? '') : '';
      for (const { extension, text } of files) yield* await zip.add(`${name}${extension}`, text);
      await index.append(`${before}${JSON.stringify(indexEntry(document, name, files))}`);
      before = ',\n';
    }
    await index.append(before === ',\n' ? '\n]\n' : '[]\n');
    yield* zip.addDeflated('index.json', await index.end());
    yield* zip.end();
  } finally {
    index.close();
  }
}

function filesOf(document: ExportedDocument): PageFile[] {
  const { markdown, html, rawHtml, warning: _, metadata: __, ...data } = document;
  const files: PageFile[] = [];
  if (markdown) files.push({ content: 'markdown', extension: '.md', text: withFrontMatter(document) });
  if (html) files.push({ content: 'html', extension: '.html', text: html });
  if (rawHtml) files.push({ content: 'rawHtml', extension: '.raw.html', text: rawHtml });
  const isEmpty = Object.values(data).every((value) => value === null || value === undefined);
  if (!isEmpty) files.push({ content: 'data', extension: '.json', text: `${JSON.stringify(data, null, 2)}\n` });
  return files;
}

const indexEntry = ({ warning, metadata }: ExportedDocument, name: string, files: readonly PageFile[]) => ({
  files: Object.fromEntries(files.map(({ content, extension }) => [content, `${name}${extension}`])),
  ...(warning !== undefined && { warning }),
  metadata,
});
