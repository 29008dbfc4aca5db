// The transform needs a URL, and an upload has none. It gets one that cannot exist (RFC 2606), which is removed from the
// result again, so that relative links stay relative.
import type { PageContent, PageMetadata, PageOutcome } from '../../contracts/page.ts';

const HOME = 'https://upload.invalid/';

export const uploadAddress = (name: string): string => HOME + encodeURIComponent(name);

/** Removes the made-up URL of the file from the result. */
export function withoutAddress(outcome: PageOutcome, address: string): PageOutcome {
  const content = relativeContent(outcome.content, address);
  return { ...outcome, content, metadata: relativeMetadata(outcome.metadata) };
}

/** Lists of links and images lose entries that were relative to the file: they lead nowhere. */
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
