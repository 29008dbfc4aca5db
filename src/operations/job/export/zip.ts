// A ZIP archive: the files of each page at a path made from its URL, and index.json, which lists the pages with their files.

import { createDeflatedText } from '../../../archive/deflated-text.ts';
import { createFreePaths } from '../../../archive/page-files/free-paths.ts';
import { pageFiles } from '../../../archive/page-files/page-files.ts';
import { createZipWriter } from '../../../archive/zip-writer.ts';
import type { JobView } from '../../../store/ports/jobs/job-store.ts';
import { addressOf } from '../../../urls/url.ts';
import { readDocuments } from './read-documents.ts';
import type { ResultSlice } from './read-slices.ts';

const INDEX = 'index';
/** For a document whose stored content is lost. */
const NO_ADDRESS = 'lost';

export async function* writeZip(
  slices: AsyncIterable<ResultSlice>,
  { createdAt }: Pick<JobView, 'createdAt'>,
): AsyncGenerator<Uint8Array> {
  const zip = createZipWriter(new Date(createdAt));
  const paths = createFreePaths(INDEX);
  const index = createDeflatedText();
  try {
    let before = '[\n';
    for await (const document of readDocuments(slices)) {
      const { warning, metadata } = document;
      const path = paths.take(metadata.sourceURL === undefined ? NO_ADDRESS : addressOf(metadata.sourceURL));
      const files = pageFiles(document);
      for (const { ending, content } of files) yield* await zip.add(`${path}${ending}`, content);
      const entry = { files: files.map(({ ending }) => `${path}${ending}`), warning, metadata };
      await index.append(`${before}${JSON.stringify(entry)}`);
      before = ',\n';
    }
    await index.append(before === ',\n' ? '\n]\n' : '[]\n');
    yield* zip.addDeflated(`${INDEX}.json`, await index.end());
    yield* zip.end();
  } finally {
    index.close();
  }
}
