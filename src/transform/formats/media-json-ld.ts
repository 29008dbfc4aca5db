// Audio and video that a page describes in JSON-LD: VideoObject and AudioObject with the URL of the file.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { MediaCandidate } from '../../page/media.ts';

type Thing = Record<string, unknown>;

const MAX_CHARS = 2_000_000;
const MAX_STEPS = 5_000;
const MAX_FOUND = 50;
const MAX_TEXT = 5_000;
const DURATION = /^P(?:(\d{1,6})D)?T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(?:\.\d{1,9})?S)?$/;

export function jsonLdMedia(tree: HtmlTree, urls: PageUrls): MediaCandidate[] {
  const found: MediaCandidate[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_FOUND; node++) {
    if (tree.tag[node] !== TAG.script || node + 1 >= tree.end[node]!) continue;
    if (tree.attribute(node, 'type')?.trim().toLowerCase() !== 'application/ld+json') continue;
    const source = tree.text(node + 1);
    if (source.length > MAX_CHARS || !source.includes('contentUrl')) continue;
    for (const thing of thingsIn(parse(source))) {
      const candidate = candidateOf(thing, urls);
      if (candidate) found.push(candidate);
    }
  }
  return found;
}

function parse(source: string): unknown {
  try {
    // Raw line breaks inside strings are the most common error.
    return JSON.parse(source.replace(/[\u0000-\u001f]+/g, ' '));
  } catch {
    return undefined;
  }
}

/** All objects in document order. Iterative and bounded, because the input is untrusted. */
function thingsIn(root: unknown): Thing[] {
  const things: Thing[] = [];
  const open: unknown[] = [root];
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps++) {
    const value = open.pop();
    if (value === null || typeof value !== 'object') continue;
    if (!Array.isArray(value)) things.push(value as Thing);
    open.push(...Object.values(value).slice(0, 200).reverse());
  }
  return things;
}

function candidateOf(thing: Thing, urls: PageUrls): MediaCandidate | undefined {
  const types = [thing['@type']].flat();
  const kind = types.includes('VideoObject') ? 'video' : types.includes('AudioObject') ? 'audio' : undefined;
  const url = kind && urls.resolve(textOf(thing.contentUrl));
  if (!url) return undefined;
  const known = {
    title: textOf(thing.name),
    description: textOf(thing.description),
    thumbnail: urls.resolve(textOf(thing.thumbnailUrl)),
    duration: secondsOf(textOf(thing.duration)),
    mimeType: textOf(thing.encodingFormat),
    width: sizeOf(thing.width),
    height: sizeOf(thing.height),
  };
  const facts = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { url, source: 'json-ld', kind, ...facts };
}

function textOf(value: unknown): string | undefined {
  const [first] = [value].flat();
  return typeof first === 'string' && first.trim() !== '' ? first.trim().slice(0, MAX_TEXT) : undefined;
}

function secondsOf(text: string | undefined): number | undefined {
  const found = DURATION.exec(text ?? '');
  if (!found) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

const sizeOf = (value: unknown): number | undefined => {
  const number = Number.parseInt(String(value), 10);
  return number > 0 ? number : undefined;
};
