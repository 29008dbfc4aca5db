// A URL with its percent-encoded characters decoded: `/authors/ren%C3%A9-dupont` has a name in it.
import { type TextView, ViewBuilder } from './text-view.ts';

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

export function urlView(url: string): TextView {
  const view = new ViewBuilder();
  addDecodedUrl(view, url, 0);
  return view.view({ isMachineText: true });
}

/** `offset` is the place of the text in the source. */
export function addDecodedUrl(view: ViewBuilder, text: string, offset: number): void {
  let position = 0;
  if (text.includes('%')) {
    for (const { index, 0: encoded } of text.matchAll(ENCODED)) {
      view.add(text.slice(position, index), offset + position, offset + index);
      addCharacters(view, encoded, offset + index);
      position = index + encoded.length;
    }
  }
  view.add(text.slice(position), offset + position, offset + text.length);
}

/** One segment for each character, since their lengths differ. */
function addCharacters(view: ViewBuilder, encoded: string, start: number): void {
  const decoded = decode(encoded);
  if (decoded === undefined) {
    view.add(encoded, start, start + encoded.length);
    return;
  }
  let at = start;
  for (const character of decoded) {
    // Characters that need no encoding may be encoded all the same.
    const end = at + Math.max(3, encodeURIComponent(character).length);
    view.add(character, at, end);
    at = end;
  }
}

/** Undefined if the bytes are not UTF-8. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

const URL_TEXT = /^[a-z][a-z0-9+.-]{1,20}:\S+$/i;
export const isUrlText = (text: string): boolean => URL_TEXT.test(text);
