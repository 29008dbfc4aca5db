// The playground's form, filled in with the request of a job.
import type { ListedKind } from '../../../src/contracts/crawl/job-list.ts';

const FORMS: readonly ListedKind[] = ['crawl', 'agent', 'extract'];
/** Servers and proxies refuse longer addresses, and a reload sends it to one. */
const MAX_LENGTH = 6_000;

/** Undefined if there is no form for it, or if the request is too long for an address. */
export function playgroundAddress(kind: ListedKind, request: Record<string, unknown>): string | undefined {
  const address = `/console/playground/${kind}?${new URLSearchParams({ request: JSON.stringify(request) })}`;
  return FORMS.includes(kind) && address.length <= MAX_LENGTH ? address : undefined;
}
