// Reads a rendered page as HTML, with the content of frames and open shadow roots where a reader would see it.
import type { ElementHandle, Frame, Page } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { raceTimeout } from '../../../util/abort.ts';
import { serialize } from './serialize.ts';

const MAX_FRAMES = 30;
const MAX_DEPTH = 3;
const MAX_CHARACTERS = 50 * 1024 * 1024;
const MAX_FRAME_CHARACTERS = 2 * 1024 * 1024;
// A frame that takes longer is left out.
const FRAME_MS = 2_000;

export async function readHtml(page: Page, maxCharacters = MAX_CHARACTERS): Promise<string> {
  const budget = { frames: MAX_FRAMES };
  const html = await readFrame(page.mainFrame(), budget, 0, maxCharacters);
  if (html === null) throw new ServiceError('SCRAPE_PAGE_TOO_LARGE');
  return html;
}

/** Null if it is larger than `maxCharacters`. */
async function readFrame(
  frame: Frame,
  budget: { frames: number },
  depth: number,
  maxCharacters: number,
): Promise<string | null> {
  const inner: { element: ElementHandle; url: string; html: string }[] = [];
  for (const child of depth < MAX_DEPTH ? frame.childFrames() : []) {
    if (budget.frames === 0) break;
    budget.frames -= 1;
    const read = await raceTimeout(readChild(child, budget, depth + 1), FRAME_MS, () => undefined);
    if (read) inner.push(read);
  }
  const isInner = depth > 0;
  try {
    return await frame.evaluate(serialize, { inner, isInner, maxCharacters });
  } finally {
    for (const { element } of inner) element.dispose().catch(() => {});
  }
}

async function readChild(child: Frame, budget: { frames: number }, depth: number) {
  try {
    const [html, element] = await Promise.all([
      readFrame(child, budget, depth, MAX_FRAME_CHARACTERS),
      child.frameElement(),
    ]);
    return html ? { element, url: child.url(), html } : undefined;
  } catch {
    // The frame or its process is gone.
    return undefined;
  }
}
