// Restricts a search to the pages of a collection. Their keys are read again only when the collection has changed.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { PageOwner, PageSharing } from '../../page/page-owner.ts';
import type { CollectionStore, StoredCollection } from '../../store/ports/collections/collection-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import type { Caller } from '../caller.ts';
import { findCollection } from './collections.ts';

export interface WithinDeps {
  collections: Pick<CollectionStore, 'find' | 'addresses'>;
  memberKeys: MemberKeys;
  clock: Pick<Clock, 'now'>;
}

export interface MemberKeys {
  /** The keys under which the team of the collection finds its pages in the index. */
  of(collection: StoredCollection): Promise<Float64Array>;
}

/** About a million pages. */
const MOST_BYTES = 32 * 1024 * 1024;

interface MemberKeysDeps {
  collections: Pick<CollectionStore, 'addresses'>;
  sharing: Pick<PageSharing, 'viewerOf'>;
  /** The name of a page in the index. */
  pageKey(owner: PageOwner, url: string): number;
}

export function createMemberKeys({ collections, sharing, pageKey }: MemberKeysDeps): MemberKeys {
  const known = createBoundedMap<string, Float64Array>({
    maxWeight: MOST_BYTES,
    weightOf: (keys) => keys.byteLength,
  });
  return {
    async of({ id, teamId, lastChange }) {
      const name = `${id} ${lastChange}`;
      const kept = known.get(name);
      if (kept) return kept;
      const addresses = await collections.addresses(id);
      const owners = sharing.viewerOf(teamId);
      const keys = Float64Array.from(addresses.flatMap((url) => owners.map((owner) => pageKey(owner, url))));
      known.set(name, keys);
      return keys;
    },
  };
}

/** Throws COLLECTION_NOT_FOUND, and BAD_REQUEST if the search would show what the collection redacts. */
export async function withinCollection(
  deps: WithinDeps,
  caller: Caller,
  { collection: name, redacts }: { collection?: string | undefined; redacts: boolean },
): Promise<{ within?: Float64Array }> {
  if (name === undefined) return {};
  const collection = await findCollection(deps, caller, name);
  if (!redacts && isRedacted(collection)) throw new ServiceError('BAD_REQUEST', { message: NEEDS_REDACTION });
  return { within: await deps.memberKeys.of(collection) };
}

const NEEDS_REDACTION =
  'The pages of this collection are redacted, and the index has their whole text. Use POST /v2/search or POST /v2/answer with `scrapeOptions.redactPII`.';

export const isRedacted = ({ definition: { targets, scrapeOptions } }: StoredCollection): boolean =>
  [...targets.map((target) => target.scrapeOptions), scrapeOptions].some(({ redactPII }) => redactPII !== false);
