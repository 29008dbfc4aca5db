// An uploaded file has no address, and a page needs one. It gets one that cannot exist (RFC 2606), and what was relative to
// the file stays so in what the caller sees.
import type { PageContent, PageMetadata, PageOutcome } from '../../contracts/page.ts';

const HOME = 'https://upload.invalid/';

export const uploadAddress = (name: string): string => HOME + encodeURIComponent(name);

/** `address`: that of the file, as above. */
export function withoutAddress(outcome: PageOutcome, address: string): PageOutcome {
  const content = relativeContent(outcome.content, address);
  return { ...outcome, content, metadata: relativeMetadata(outcome.metadata) };
}

/** Lists of addresses lose what leads nowhere. */
function relativeContent(bytes: Uint8Array, address: string): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.includes(HOME)) return bytes;
  const content = JSON.parse(buffer.toString()) as PageContent;
  const reachable = (list: string[] | undefined) => list?.filter((url) => !url.startsWith(HOME));
  const lists = { links: reachable(content.links), images: reachable(content.images) };
  const text = JSON.stringify({ ...content, ...lists });
  return Buffer.from(text.replaceAll(`${address}#`, '#').replaceAll(HOME, ''));
}

const relativeMetadata = (metadata: PageMetadata): PageMetadata =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === 'string' ? relative(value) : value.map(relative),
    ]),
  );

const relative = (text: string): string => (text.startsWith(HOME) ? text.slice(HOME.length) : text);
