// Results of the pipeline as Brave's. What the service does not know of a result is left out.
import type { ResponseOf } from '../../contracts/route-types.ts';

type Found = ResponseOf<'search'>['data'];

export const webResult = ({ title, url, description }: NonNullable<Found['web']>[number]) => ({
  ...{ type: 'search_result', subtype: 'generic', title, url, description },
  ...{ is_source_local: false, is_source_both: false, is_live: false },
  profile: { name: hostOf(url), url, long_name: hostOf(url) },
  meta_url: metaUrl(url),
});

export const newsResult = ({ title, url, snippet, date, imageUrl }: NonNullable<Found['news']>[number]) => ({
  ...{ type: 'news_result', title, url, description: snippet, source: hostOf(url), meta_url: metaUrl(url) },
  ...(date !== undefined && ageOf(date)),
  ...(imageUrl !== undefined && { thumbnail: { src: imageUrl } }),
});

export function imageResult({
  title,
  url,
  imageUrl,
  imageWidth: width,
  imageHeight: height,
}: NonNullable<Found['images']>[number]) {
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
  return {
    ...{ type: 'image_result', title, url, source: hostOf(url), meta_url: metaUrl(url) },
    thumbnail: { src: imageUrl, ...size },
    properties: { url: imageUrl, placeholder: imageUrl, ...size },
  };
}

export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';

function metaUrl(url: string) {
  const { protocol = '', host = '', hostname = '', pathname = '' } = URL.parse(url) ?? {};
  return { scheme: protocol.replace(':', ''), netloc: host, hostname, path: pathname };
}

const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `August 1, 2026`, and the same to the second. */
function ageOf(date: string): { age?: string; page_age?: string } {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return {};
  const at = new Date(time);
  return { age: LONG_DATE.format(at), page_age: at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) };
}
