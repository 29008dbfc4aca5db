// Redacts a page that was read, before anything else is made from it. What was found is neither returned nor stored.
import { DEFAULT_COUNTRY } from '../../../contracts/scrape/location.ts';
import { redactionOptions } from '../../../contracts/scrape/redaction.ts';
import { countryOf } from '../../../redact/expected-countries.ts';
import type { Redactor } from '../../../redact/redactor.ts';
import type { Asker } from '../../../runtime/gate/gate.ts';
import type { PageWithSource } from '../page.ts';
import type { PageOptions } from '../page-request.ts';

/** Results under this key belong to their scrape alone: no cached page refers to them. */
const RESULT_KEY = 'redacted';

export async function redactedPage(
  redactor: Redactor,
  { options, asker }: { options: PageOptions; asker: Asker },
  read: PageWithSource,
  signal: AbortSignal,
): Promise<PageWithSource> {
  const asked = redactionOptions(options.redactPII);
  if (!asked) return read;
  const { header, outcome } = read;
  const { metadata, warnings, content } = outcome;
  const source = read.source ?? { url: header.finalUrl, markdown: '' };
  const country = countryOf(header.finalUrl, requestedCountry(options));
  const redacted = await redactor.redact({ content, metadata, warnings, source, country }, asked, asker, signal);
  const shown = {
    ...outcome,
    content: redacted.content,
    metadata: redacted.metadata,
    warnings: redacted.warnings,
  };
  // A crawl follows the links of the page, which the stored result must not hold.
  const stored = { ...shown, discovered: { links: [], next: [], fingerprint: outcome.discovered.fingerprint } };
  const result = { transformKey: RESULT_KEY, outcome: stored, now: header.fetchedAt };
  return { ...read, ...(read.source && { source: redacted.source }), outcome: shown, toStore: { result } };
}

/** Every request has a country; the default says nothing about the page. */
const requestedCountry = ({ location: { country } }: PageOptions): string | undefined =>
  country === DEFAULT_COUNTRY ? undefined : country;
