// Exports a collection: the documents of all of its members as one file, in the formats in which jobs are exported.
import { Download } from '../../archive/download.ts';
import { CURSOR_HEADER } from '../../contracts/collection/collection.ts';
import { DOCUMENTS_HEADER, EXPORT_FILES } from '../../contracts/crawl/export.ts';
import type { Format } from '../../contracts/formats/formats.ts';
import type { CollectionStore, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import type { Call } from '../call.ts';
import { loadWriter } from '../job/export/export.ts';
import { type ResultSlice, SLICE_BYTES, SLICE_DOCUMENTS } from '../job/export/read-slices.ts';
import { type FindCollectionDeps, findCollection } from './collections.ts';
import { cursorAt } from './cursor.ts';

interface ExportDeps extends FindCollectionDeps {
  collections: Pick<CollectionStore, 'find' | 'documents'>;
}

export async function exportCollection(
  deps: ExportDeps,
  { caller, params, query: { format } }: Call<'exportCollection'>,
): Promise<Download> {
  const collection = await findCollection(deps, caller, params.name);
  const { type, extension } = EXPORT_FILES[format];
  const write = await loadWriter(format);
  const { name, createdAt, pages } = collection;
  const source = { id: name, kind: 'collection', createdAt, options: { formats: formatsOf(collection) } } as const;
  return new Download(write(slices(deps, collection, caller.signal), source, {}), {
    type,
    name: `${name}.${extension}`,
    headers: { [DOCUMENTS_HEADER]: String(pages), [CURSOR_HEADER]: cursorAt(collection, collection.lastChange) },
  });
}

/** What its documents can have. */
function formatsOf({ definition }: StoredCollection): Format[] {
  const options = [...definition.targets.map((target) => target.scrapeOptions), definition.scrapeOptions];
  const formats = options.flatMap((each) => each.formats);
  return [...new Map(formats.map((format) => [format.type, format])).values()];
}

async function* slices(
  { collections }: ExportDeps,
  { id, lastChange: until }: StoredCollection,
  signal: AbortSignal,
): AsyncGenerator<ResultSlice> {
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    const query = { after, until, limit: SLICE_DOCUMENTS, maxBytes: SLICE_BYTES };
    const { count, next, json, ends } = await collections.documents(id, query);
    if (count > 0) yield { json, ends };
    if (next === undefined) return;
    after = next;
  }
}
