// Makes an uploaded file a page of a collection: a file of the same name is its next version. No run reads or deletes it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ParseRequest } from '../../contracts/scrape/parse.ts';
import { checkGroup } from '../../policy/keys/key-rules.ts';
import type { CollectionStore } from '../../store/ports/collections/collection-store.ts';
import { UPLOADS } from '../../store/ports/collections/member-store.ts';
import type { Caller } from '../caller.ts';
import type { ScrapedDocument } from '../scrape.ts';
import { type FindCollectionDeps, findCollection } from './collections.ts';
import { withChunks } from './define-collection.ts';
import { seenPage } from './run/seen-page.ts';
import { isRedacted } from './within-collection.ts';

export interface AddUploadDeps extends FindCollectionDeps {
  collections: Pick<CollectionStore, 'find' | 'savePages'>;
}

interface UploadPlan {
  /** With the formats that members need. */
  request: ParseRequest;
  /** Returns what the caller should know of it. */
  save?(name: string, parsed: Pick<ScrapedDocument, 'content' | 'metadata'>): Promise<string | undefined>;
}

/** Throws COLLECTION_NOT_FOUND, KEY_RESTRICTED, and BAD_REQUEST for what the collection could not keep. */
export async function planUpload(deps: AddUploadDeps, caller: Caller, asked: ParseRequest): Promise<UploadPlan> {
  if (asked.collection === undefined) return { request: asked };
  if (caller.limits) checkGroup(caller.limits, 'collection');
  if (asked.zeroDataRetention) throw new ServiceError('BAD_REQUEST', { message: NO_ZERO_RETENTION });
  const collection = await findCollection(deps, caller, asked.collection);
  if (asked.redactPII === false && isRedacted(collection))
    throw new ServiceError('BAD_REQUEST', { message: NEEDS_REDACTION });
  const request = withMarkdown(withChunks(asked));
  return {
    request,
    async save(name, { content, metadata }) {
      const page = seenPage(name, { ...(JSON.parse(Buffer.from(content).toString()) as object), metadata });
      if (page.found.state !== 'read') return NO_TEXT;
      const by = { collectionId: collection.id, targetId: UPLOADS, options: request, now: deps.clock.now() };
      const saved = await deps.collections.savePages(by, [page]);
      if (!saved) throw new ServiceError('COLLECTION_NOT_FOUND');
      if (saved.added + saved.changed + saved.same === 0)
        throw new ServiceError('STORAGE_UNAVAILABLE', { message: NOT_KEPT });
      return undefined;
    },
  };
}

const withMarkdown = (request: ParseRequest): ParseRequest =>
  request.formats.some(({ type }) => type === 'markdown')
    ? request
    : { ...request, formats: [...request.formats, { type: 'markdown' }] };

const NO_ZERO_RETENTION =
  'A collection consists of stored pages, so it takes no files with zero data retention. Leave out `collection`, or `zeroDataRetention`.';
const NEEDS_REDACTION = 'The pages of this collection are redacted. Send `redactPII` with the file, too.';
const NO_TEXT = 'The file has no text, so the collection was not changed.';
const NOT_KEPT =
  'The file was parsed but could not be stored, because the disk of the server is full or damaged. The collection was not changed. Try again later.';
