// What is cached, without its content.
import type { PageVariant } from '../../../../page/page.ts';
import { sitePrefix } from '../../../encoding/pack-page.ts';
import type { PageStore } from '../../../ports/pages/page-store.ts';
import type { BooleanColumn, Queries } from '../../database.ts';

const VARIANTS_LISTED = 50;

interface KnownRow {
  url: string;
  title: string | null;
  description: string | null;
}
interface VariantRow {
  variant: string;
  fetchedAt: number;
  isVerified: BooleanColumn;
}

export const createPageLists = (queries: Queries): Pick<PageStore, 'variants' | 'known' | 'redirects'> => ({
  async variants(url, viewer, now) {
    const rows = await queries.rows<VariantRow>`
      SELECT variant, checked_at AS "fetchedAt", verified AS "isVerified" FROM pages
      WHERE url_key(url) = url_key(${url}) AND owner = ANY(${viewer}::text[]) AND variant IS NOT NULL
        AND (expires_at IS NULL OR expires_at > ${now})
      ORDER BY fetched_at DESC, id DESC LIMIT ${VARIANTS_LISTED}`;
    return rows.map(({ variant, fetchedAt, isVerified }) => ({
      ...{ variant: JSON.parse(variant) as PageVariant, fetchedAt, isVerified: Boolean(isVerified) },
    }));
  },
  async known({ viewer, host, subdomains, limit }) {
    const site = sitePrefix(host);
    // A slash follows the dot in ASCII, so it ends the range of names that start with these labels. No host contains
    // a space.
    const end = subdomains ? `${site.slice(0, -1)}/` : `${site} `;
    // The inner query reads only the index of sites; full rows are read only for the result. By the bare owner, SQLite would
    // read all pages of each owner.
    const rows = await queries.rows<KnownRow>`
      SELECT pages.url, title, description FROM (
        SELECT site, url_key(url) AS key, max(fetched_at) AS newest, max(id) AS last FROM pages
        WHERE site >= ${site} AND site < ${end} AND owner || '' = ANY(${viewer}::text[])
        GROUP BY site, url_key(url) ORDER BY newest DESC, last DESC LIMIT ${limit}
      ) AS known JOIN pages ON pages.site = known.site AND url_key(pages.url) = known.key AND fetched_at = newest
      WHERE owner = ANY(${viewer}::text[]) ORDER BY newest DESC, last DESC, id DESC`;
    // Two variants of a page may have been fetched at the same time.
    return rows
      .filter(({ url }, index) => rows[index - 1]?.url !== url)
      .map(({ url, title, description }) => ({
        url,
        ...(title !== null && { title }),
        ...(description !== null && { description }),
      }));
  },
  async redirects(urls, viewer) {
    const rows = await queries.rows<{ url: string; finalUrl: string | null }>`
      SELECT url, final_url AS "finalUrl" FROM pages
      WHERE url_key(url) IN (SELECT url_key(wanted.url) FROM unnest(${urls}::text[]) AS wanted (url))
        AND owner = ANY(${viewer}::text[]) AND verified
      ORDER BY fetched_at, id`;
    const newest = new Map(rows.map(({ url, finalUrl }) => [url, finalUrl]));
    return Object.fromEntries([...newest].flatMap(([url, finalUrl]) => (finalUrl === null ? [] : [[url, finalUrl]])));
  },
});
