// Prepares pages and looks before the transaction that writes them, so that no lock is held while they are compressed.
import { sha256 } from '../../../util/hash.ts';
import { freeToStore, type Packed, pageFacts } from '../../encoding/pack-page.ts';
import { toStored } from '../../encoding/stored-outcome.ts';
import type { PageLook } from '../../ports/pages/page-history.ts';
import type { NewResult, PageToStore } from '../../ports/pages/page-store.ts';
import type { Bodies, NewBody } from './bodies.ts';

export type PackedToStore = Packed<NewBody>;

export interface PackedLook extends Omit<PageLook, 'version'> {
  version?: NewBody;
  /** Hash of the version. */
  hash?: string;
}

export interface PagePacker {
  pack(toStore: PageToStore): Promise<PackedToStore>;
  packLook(look: PageLook | undefined): Promise<PackedLook | undefined>;
  /** Runs the transaction that writes what was packed. Large bodies that it did not write are removed again. */
  whileWriting<T>(packed: readonly (PackedToStore | PackedLook | undefined)[], work: () => Promise<T>): Promise<T>;
  /** Call it after the commit: until then, the call may be repeated. */
  free(toStore: PageToStore): void;
}

interface PackerDeps {
  bodies: Pick<Bodies, 'pack' | 'whileNaming'>;
  /** The content that is packed is not a copy, and its caller still needs it. */
  keepsContent: boolean;
}

export function createPagePacker({ bodies, keepsContent }: PackerDeps): PagePacker {
  const packResult = async ({ transformKey, outcome, now }: NewResult) => ({
    ...{ transformKey, now },
    body: await bodies.pack(toStored(outcome)),
  });

  return {
    async pack(toStore) {
      if ('resultId' in toStore) return { resultId: Number(toStore.resultId), checked: toStore.checked };
      if (!('page' in toStore)) {
        return { result: await packResult(toStore.result), pageId: toStore.pageId, checked: toStore.checked };
      }
      const { page } = toStore;
      const facts = pageFacts(page, toStore.result.outcome);
      const [result, body, entry] = await Promise.all([
        packResult(toStore.result),
        bodies.pack(page.fetched.bytes),
        page.entry && bodies.pack(page.entry),
      ]);
      return { result, page: { ...facts, body, entry } };
    },
    async packLook(look) {
      if (!look?.version) return look && { ...look, version: undefined };
      return { ...look, version: await bodies.pack(look.version), hash: sha256(look.version) };
    },
    free: (toStore) => freeToStore(toStore, { keepsContent }),
    whileWriting: (packed, work) => bodies.whileNaming(packed.flatMap(bodiesOf), work),
  };
}

function bodiesOf(packed: PackedToStore | PackedLook | undefined): NewBody[] {
  if (!packed || 'resultId' in packed) return [];
  if (!('result' in packed)) return packed.version ? [packed.version] : [];
  if (!('page' in packed)) return [packed.result.body];
  const { body, entry } = packed.page;
  return [packed.result.body, body, ...(entry ? [entry] : [])];
}
