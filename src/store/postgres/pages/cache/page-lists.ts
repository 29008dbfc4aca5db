// SQL for what is cached, without its content.
import type { PageVariant } from '../../../../contracts/page.ts';
import { sitePrefix } from '../../../encoding/pack-page.ts';
import type { PageStore } from '../../../page-store.ts';
import type { Database } from '../../database/database.ts';

const VARIANTS_LISTED = 50;

interface KnownRow {
  url: string;
  title: string | null;
  description: string | null;
}
interface VariantRow {
  variant: string;
  fetchedAt: number;
  isVerified: boolean;
}

export const createPageLists = ({
  sql,
}: Pick<Database, 'sql'>): Pick<PageStore, 'variants' | 'known' | 'redirects'> => ({
  async variants(url, viewer, now) {
    const rows = await sql<VariantRow[]>`
      SELECT variant, checked_at AS "fetchedAt", verified AS "isVerified" FROM pages
      WHERE url_key(url) = url_key(${url}) AND owner = ANY(${[...viewer]})
        AND (expires_at IS NULL OR expires_at > ${now})
      ORDER BY fetched_at DESC, id DESC LIMIT ${VARIANTS_LISTED}`;
    return rows.map(({ variant, fetchedAt, isVerified }) => ({
      ...{ variant: JSON.parse(variant) as PageVariant, fetchedAt, isVerified },
    }));
  },
  async known({ viewer, host, subdomains, limit }) {
    const site = sitePrefix(host);
    // A slash follows the dot in ASCII, so it ends the range of names that start with these labels. No host contains
    // a space.
    const end = subdomains ? `${site.slice(0, -1)}/` : `${site} `;
    const rows = await sql<KnownRow[]>`
      SELECT pages.url, title, description FROM (
        SELECT DISTINCT ON (site, url_key(url)) id, fetched_at FROM pages
        WHERE site >= ${site} AND site < ${end} AND owner = ANY(${[...viewer]})
        ORDER BY site, url_key(url), fetched_at DESC, id DESC
      ) AS known JOIN pages USING (id) ORDER BY pages.fetched_at DESC, id DESC LIMIT ${limit}`;
    return rows.map(({ url, title, description }) => ({
      url,
      ...(title !== null && { title }),
      ...(description !== null && { description }),
    }));
  },
  async redirects(urls, viewer) {
    const rows = await sql<{ url: string; finalUrl: string | null }[]>`
      SELECT DISTINCT ON (url) url, final_url AS "finalUrl" FROM pages
      WHERE url_key(url) IN (SELECT url_key(wanted) FROM unnest(${urls as string[]}::text[]) AS wanted)
        AND owner = ANY(${[...viewer]}) AND verified
      ORDER BY url, fetched_at DESC, id DESC`;
    return Object.fromEntries(rows.flatMap(({ url, finalUrl }) => (finalUrl === null ? [] : [[url, finalUrl]])));
  },
});
