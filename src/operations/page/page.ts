// A page as it was read: what its caller gets, and what there is to store.
import type { AttemptRecord, PageHeader, TransformResult } from '../../page/page.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import type { PageLook } from '../../store/ports/pages/page-history.ts';
import type { PageToStore } from '../../store/ports/pages/page-store.ts';
import type { MissingFormat } from './missing-formats.ts';

export interface Page {
  header: PageHeader;
  outcome: TransformResult;
  /** What only this request gets, in addition to the outcome: links to files. */
  ownContent: object;
  /** Requested formats that this page cannot give. */
  missing: MissingFormat[];
  /** What was made from the page after the transform; like the rest of this request's own content. */
  derived?: MadeFormat;
  /** For the history of the page, if its changes are tracked. */
  look?: PageLook;
  /** What there is to store. The caller decides whether it may be stored. */
  toStore: PageToStore;
  /** Undefined when the cache was not consulted. */
  cacheState: 'hit' | 'miss' | undefined;
  /** If the request is explained: the first texts that were left out and stand on other pages of the site. */
  template?: string[] | undefined;
  /** How the page was fetched; absent if it came from the cache or an upload. */
  attempts?: AttemptRecord[];
}

/** A page whose text formats are still to be made from, if any needs it. */
export interface PageWithSource extends Page {
  source?: CarriedSource;
}
