// Under which key the programs for a page and a request are kept.
import { siteOfHost } from '../../../page/site-memory.ts';
import type { ProgramKey } from '../../../store/ports/pages/program-store.ts';
import { hashOf } from '../../../util/hash.ts';
import type { AskedJson } from '../extract/invented.ts';

/** Uploads have no site, but addresses of their own kind. */
export const programKeyOf = (url: string, { schema, prompt = '' }: AskedJson): ProgramKey => ({
  site: siteOfHost(URL.parse(url)?.host ?? ''),
  asked: hashOf(schema, prompt),
});
