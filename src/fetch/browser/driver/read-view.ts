// Reads what a page shows, frame by frame, each in an isolated world that scripts of the page cannot reach. The worlds keep
// the elements, so that a number leads back to its element.
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { BrowserFault } from '../browser-failure.ts';
import { accessPage } from '../page/styles/page-access.ts';
import {
  type CollectedView,
  collectView,
  createViewWriter,
  insideOf,
  isClickable,
  isShown,
  nextOf,
  type ViewLimits,
  visitViewed,
} from './collect-view.ts';
import { DESCRIBERS } from './describe-element.ts';

/** A frame that is driven over its own connection if it runs in another process. */
export interface ViewedFrame {
  session: CDPSession;
  frameId: string;
  contextId: number;
  /** The frame around it, if that is in another process: positions are relative to this one. */
  around?: { session: CDPSession };
  /** Number of its first element. */
  first: number;
  count: number;
}

export interface ReadView {
  lines: string[];
  isCut: boolean;
  frames: ViewedFrame[];
  close(): void;
}

/** Most pages have no frames that matter; pages full of advertisements have dozens. */
const MAX_FRAMES = 10;
const LIMITS = { nodes: 30_000, characters: 60_000, elements: 1_500, ms: 1_500 };
/** When the browser ends the script, whatever it is doing. */
const END_MS = 5_000;
const WORLD = 'trawl-page-view';
const MAX_LINE = 3_000;

const FUNCTIONS = [
  accessPage,
  ...DESCRIBERS,
  createViewWriter,
  isShown,
  isClickable,
  visitViewed,
  insideOf,
  nextOf,
  collectView,
].join('\n');

const scriptFor = (limits: ViewLimits): string => `(() => {
  globalThis.viewedElements = { list: [] };
  ${FUNCTIONS}
  return collectView(${JSON.stringify(limits)});
})()`;

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

export async function readView(page: Page): Promise<ReadView> {
  const context = page.context();
  const main = await context.newCDPSession(page);
  const sessions = [main];
  const view: ReadView = {
    lines: [],
    isCut: false,
    frames: [],
    close() {
      // Not awaited: a page that hangs must not hold up the caller.
      for (const session of sessions) session.detach().catch(() => {});
    },
  };
  try {
    await readFrames(view, main);
    for (const frame of page.frames().slice(1, MAX_FRAMES)) {
      const session = await separateSession(context, frame);
      if (!session) continue;
      sessions.push(session);
      await readFrames(view, session, { session: main });
    }
    return view;
  } catch (error) {
    view.close();
    throw error;
  }
}

/** Undefined if the frame runs in the process of the frame around it, or is gone. */
const separateSession = (context: BrowserContext, frame: Frame): Promise<CDPSession | undefined> =>
  context.newCDPSession(frame).catch(() => undefined);

/** Reads the frame of a session and those inside of it in the same process. */
async function readFrames(view: ReadView, session: CDPSession, around?: ViewedFrame['around']): Promise<void> {
  const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: FrameTree };
  for (const [index, frameId] of idsOf(frameTree).entries()) {
    if (view.frames.length >= MAX_FRAMES) return;
    const isMain = index === 0 && !around;
    // A frame that is just loading has nothing to show; without its main frame, the page has not.
    const read = await readFrame(view, session, frameId).catch((error: unknown) => {
      if (isMain) throw error;
      return undefined;
    });
    if (!read || (read.lines.length === 0 && !isMain)) continue;
    const { lines, count, isCut, contextId } = read;
    const first = firstNumber(view);
    view.frames.push({ session, frameId, contextId, first, count, ...(around && { around }) });
    view.lines.push(...(isMain ? [] : ['inside of a frame:']), ...lines);
    view.isCut ||= isCut;
  }
}

const firstNumber = ({ frames }: ReadView): number => frames.reduce((sum, { count }) => sum + count, 1);

const idsOf = ({ frame, childFrames = [] }: FrameTree): string[] => [frame.id, ...childFrames.flatMap(idsOf)];

async function readFrame(view: ReadView, session: CDPSession, frameId: string) {
  const used = view.lines.reduce((sum, line) => sum + line.length, 0);
  const first = firstNumber(view);
  const limits = {
    ...LIMITS,
    first,
    characters: Math.max(0, LIMITS.characters - used),
    elements: Math.max(0, LIMITS.elements - first + 1),
  };
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: WORLD,
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId,
    expression: scriptFor(limits),
    returnByValue: true,
    timeout: END_MS,
  });
  if (exceptionDetails) throw new BrowserFault(`The page cannot be read: ${exceptionDetails.text}`);
  return { ...checked(result.value, limits), contextId };
}

/** The renderer of a page may have been taken over by it. */
function checked(value: unknown, { elements }: ViewLimits): CollectedView {
  const { lines, count, isCut } = (value ?? {}) as Partial<CollectedView>;
  if (!Array.isArray(lines) || !Number.isInteger(count) || count! < 0 || count! > elements) {
    throw new BrowserFault('The page cannot be read.');
  }
  return { lines: lines.map((line) => String(line).slice(0, MAX_LINE)), count: count!, isCut: isCut === true };
}
