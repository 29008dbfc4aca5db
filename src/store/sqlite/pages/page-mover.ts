// Hands pages over to the store thread: their bytes move instead of being copied, and come back if the call fails.
import type { TransformResult } from '../../../page/page.ts';
import { handedBack } from '../../../runtime/threads/thread.ts';
import { copyBytes } from '../../../util/bytes/copy-bytes.ts';
import { ownsBuffer } from '../../../util/bytes/free-bytes.ts';
import type { EndedTask } from '../../ports/jobs/job-queue.ts';
import type { NewPage, NewResult, PageToStore } from '../../ports/pages/page-store.ts';

/** For callers who still need the content: what moves is a copy of it. */
export async function withCopiedContent(toStore: PageToStore): Promise<PageToStore> {
  if (!('result' in toStore)) return toStore;
  const { result } = toStore;
  const content = await copyBytes(result.outcome.content);
  return { ...toStore, result: { ...result, outcome: { ...result.outcome, content } } };
}

/** Collects what moves with one call. */
export class PageMover {
  readonly buffers: ArrayBuffer[] = [];
  readonly #restores: ((bytes: Uint8Array) => void)[] = [];

  toStore(toStore: PageToStore): PageToStore {
    if (!('result' in toStore)) return toStore;
    const result = this.#result(toStore.result);
    return 'page' in toStore ? { result, page: this.#page(toStore.page) } : { ...toStore, result };
  }

  tasks(ended: readonly EndedTask[]): EndedTask[] {
    return ended.map(({ id, outcome }) => {
      if (outcome.state !== 'done') return { id, outcome };
      const toStore = this.toStore(outcome.page.toStore);
      return { id, outcome: { ...outcome, page: { ...outcome.page, toStore } } };
    });
  }

  /** After a failed call, everything is where it was, so that the call can be repeated. */
  takeBack(error: unknown): void {
    for (const [index, buffer] of handedBack(error).entries()) this.#restores[index]?.(new Uint8Array(buffer));
  }

  #result(result: NewResult): NewResult {
    const { outcome } = result;
    const content = this.#move(outcome.content, (bytes) => {
      outcome.content = bytes;
    });
    return { ...result, outcome: { ...outcome, content } satisfies TransformResult };
  }

  #page(page: NewPage): NewPage {
    const { fetched, entry } = page;
    const bytes = this.#move(fetched.bytes, (own) => {
      fetched.bytes = own;
    });
    const moved: NewPage = { ...page, fetched: { ...fetched, bytes } };
    if (entry) {
      moved.entry = this.#move(entry, (own) => {
        page.entry = own;
      });
    }
    return moved;
  }

  /** A view would take all of a larger buffer with it, so it is copied. */
  #move(bytes: Uint8Array, restore: (bytes: Uint8Array) => void): Uint8Array {
    const isOwner = ownsBuffer(bytes);
    const own = isOwner ? bytes : new Uint8Array(bytes);
    this.buffers.push(own.buffer as ArrayBuffer);
    this.#restores.push(isOwner ? restore : () => {});
    return own;
  }
}
