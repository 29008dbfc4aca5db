// A loaded page on its way to another process: JSON, and its bytes as frames of their own, in a fixed order. What a page or its
// scripts return is never looked into.
import type { ActionResults, Capture, Captures } from '../../page/captures.ts';
import type { Fetched } from '../../page/page.ts';

interface PackedPage {
  json: string;
  frames: Uint8Array[];
}

type WithBytes = Pick<Fetched, 'bytes'>;

const carriersOf = ({ captures, ...page }: Fetched): WithBytes[] => [
  page,
  ...(captures?.screenshot ? [captures.screenshot] : []),
  ...(captures?.actions?.screenshots ?? []),
  ...(captures?.actions?.pdfs ?? []),
];

export const packPage = (page: Fetched): PackedPage => ({
  json: JSON.stringify({ ...page, bytes: undefined, captures: page.captures && withoutBytes(page.captures) }),
  frames: carriersOf(page).map(({ bytes }) => bytes),
});

const empty = (capture: Capture) => ({ ...capture, bytes: undefined });
const emptyResults = (results: ActionResults) => ({
  ...results,
  screenshots: results.screenshots.map(empty),
  pdfs: results.pdfs.map(empty),
});
const withoutBytes = (captures: Captures) => ({
  ...captures,
  screenshot: captures.screenshot && empty(captures.screenshot),
  actions: captures.actions && emptyResults(captures.actions),
});

/** Undefined while frames are missing. */
export function unpackPage({ json, frames }: PackedPage): Fetched | undefined {
  const page = JSON.parse(json) as Fetched;
  const [, ...captures] = carriersOf(page);
  if (frames.length !== captures.length + 1) return undefined;
  for (const [index, capture] of captures.entries()) capture.bytes = frames[index + 1]!;
  return { ...page, bytes: frames[0]! };
}
