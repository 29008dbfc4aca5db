// A data set for Hugging Face: a ZIP archive of Parquet files, each of which is one row group, and the card that describes them.
import { createParquetWriter } from '../../../../archive/parquet/parquet-writer.ts';
import { createZipWriter } from '../../../../archive/zip-writer.ts';
import { readVersion } from '../../../../runtime/version.ts';
import { readDocuments } from '../read-documents.ts';
import type { ExportSource, ResultSlice } from '../read-slices.ts';
import { createDatasetFacts, datasetCard } from './dataset-card.ts';
import { parquetColumns } from './parquet.ts';

const DIGITS = 5;

export async function* writeHuggingFace(
  slices: AsyncIterable<ResultSlice>,
  job: Pick<ExportSource, 'kind' | 'options' | 'createdAt' | 'url'>,
  { license }: { license?: string } = {},
): AsyncGenerator<Uint8Array> {
  const zip = createZipWriter(new Date(job.createdAt));
  const columns = parquetColumns(job);
  const facts = createDatasetFacts();
  const open = () => createParquetWriter(columns, { createdBy: `Trawl ${readVersion()}` });
  let file = await open();
  let files = 0;
  const end = (group: readonly Uint8Array[]): Uint8Array[] => {
    const name = `data/pages-${String(files).padStart(DIGITS, '0')}.parquet`;
    files += 1;
    return zip.addStored(name, Buffer.concat([...group, ...file.end()]));
  };
  for await (const document of readDocuments(slices)) {
    facts.note(document.metadata);
    const group = [...file.add(columns.map(({ read }) => read(document)))];
    if (group.length === 0) continue;
    yield* end(group);
    file = await open();
  }
  // An empty data set has its columns, too.
  yield* end([]);
  yield* await zip.add('README.md', datasetCard(job, { columns, facts, license }));
  yield* zip.end();
}
