// Refetching a page of which there is an old copy: the site may confirm the copy, which saves the download and the
// transform.

import type { Validators } from '../../../fetch/engine.ts';
import type { Fetched, PageHeader } from '../../../page/page.ts';

const NOT_MODIFIED = 304;

/** Undefined if the site gave none, or if they say nothing about what a browser made of the page. */
export function validatorsOf({ engine, status, finalUrl, headers }: PageHeader): Validators | undefined {
  const { etag, 'last-modified': lastModified } = headers;
  if (engine !== 'http' || status !== 200 || (etag === undefined && lastModified === undefined)) return undefined;
  return { url: finalUrl, ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/** Whether this answer says that the copy is still good. */
export const isConfirmation = ({ status, finalUrl }: Fetched, validators: Validators | undefined): boolean =>
  status === NOT_MODIFIED && finalUrl === validators?.url;

/** The copy as of now. It counts as verified only if both its own certificate and that of the confirmation were valid. */
export function confirmedHeader(copy: PageHeader, { requestedUrl, fetchedAt, isVerified }: PageHeader): PageHeader {
  const { isVerified: wasVerified, ...header } = copy;
  return { ...header, requestedUrl, fetchedAt, ...(wasVerified && isVerified && { isVerified }) };
}
