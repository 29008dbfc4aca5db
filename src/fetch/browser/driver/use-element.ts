// Uses a numbered element of a page: finds it in its isolated world, and clicks, fills or selects it like a person, with
// the mouse and the keyboard where that works.
import type { CDPSession, Page } from 'playwright-core';
import { ActionFailure } from '../actions/step.ts';
import type { ViewedFrame } from './read-view.ts';

export interface UsedElement {
  frame: ViewedFrame;
  objectId: string;
}

interface Point {
  x: number;
  y: number;
}

const GONE = 'the element is gone, because the page has changed. Look at the page again.';

export async function findElement(frames: readonly ViewedFrame[], number: number): Promise<UsedElement> {
  const frame = frames.find(({ first, count }) => number >= first && number < first + count);
  if (!frame) throw new ActionFailure(`there is no element [${number}].`);
  const { session, contextId, first } = frame;
  const expression = `viewedElements.list[${number - first}]`;
  const { result } = await session.send('Runtime.evaluate', { contextId, expression }).catch(() => {
    throw new ActionFailure(GONE);
  });
  if (result.objectId === undefined) throw new ActionFailure(GONE);
  return { frame, objectId: result.objectId };
}

/** Runs a function of ours on the element, in its isolated world. */
async function ask<T>({ frame, objectId }: UsedElement, work: (...args: never[]) => T, ...args: unknown[]): Promise<T> {
  const { result, exceptionDetails } = await frame.session
    .send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (...args) { return (${work}).apply(this, args); }`,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
    })
    .catch(() => {
      throw new ActionFailure(GONE);
    });
  if (exceptionDetails) throw new ActionFailure('the element cannot be used.');
  return result.value as T;
}

interface InPage {
  isConnected: boolean;
  localName: string;
  type?: string;
}
declare const HTMLElement: { prototype: { click(): void } };
declare const HTMLInputElement: { prototype: { select(): void } };
declare const HTMLTextAreaElement: { prototype: { select(): void } };
declare const HTMLSelectElement: { prototype: object };
declare const Element: {
  prototype: {
    matches(selector: string): boolean;
    getClientRects(): ArrayLike<{ left: number; top: number; width: number; height: number }>;
  };
};
declare const Node: { prototype: { contains(node: unknown): boolean } };
declare class Event {
  constructor(type: string, options: { bubbles: boolean });
}
declare const EventTarget: { prototype: { dispatchEvent(event: Event): boolean } };
declare const document: { elementFromPoint(x: number, y: number): { shadowRoot: unknown } | null };
declare function getSelection(): { selectAllChildren(node: unknown): void } | null;

/** Runs in the page. `fillable` for fields in which text is typed, `settable` for those that have a value of their own form. */
function kindOf(this: InPage): 'gone' | 'off' | 'file' | 'settable' | 'fillable' | 'other' {
  const matches = (selector: string) => Element.prototype.matches.call(this, selector);
  if (!this.isConnected) return 'gone';
  if (matches(':disabled')) return 'off';
  if (this.localName === 'input') {
    if (this.type === 'file') return 'file';
    if (/^(?:date|time|month|week|datetime-local|color|range)$/.test(this.type ?? '')) return 'settable';
    return /^(?:checkbox|radio|submit|button|reset|image)$/.test(this.type ?? '') ? 'other' : 'fillable';
  }
  return this.localName === 'textarea' || matches('[contenteditable], [contenteditable] *') ? 'fillable' : 'other';
}

/** Runs in the page. Whether a click on its middle reaches the element, or one that belongs to it. */
function isReachable(this: object): boolean {
  const rects = Array.from(Element.prototype.getClientRects.call(this));
  const rect = rects.find(({ width, height }) => width * height > 1);
  if (!rect) return false;
  const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
  let hit = document.elementFromPoint(x, y) as { shadowRoot: typeof document | null } | null;
  for (let depth = 0; hit?.shadowRoot && depth < 20; depth += 1) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || (inner as unknown) === hit) break;
    hit = inner as typeof hit;
  }
  if (!hit) return false;
  const labels = Array.from((this as { labels?: ArrayLike<object> }).labels ?? []);
  const contains = (outer: object, inner: unknown) => Node.prototype.contains.call(outer, inner);
  return contains(this, hit) || contains(hit, this) || labels.some((label) => contains(label, hit));
}

/** Runs in the page. */
function clickByScript(this: object): void {
  HTMLElement.prototype.click.call(this);
}

/** Runs in the page. What is typed next replaces the old text. */
function selectText(this: InPage): void {
  if (this.localName === 'input') HTMLInputElement.prototype.select.call(this);
  else if (this.localName === 'textarea') HTMLTextAreaElement.prototype.select.call(this);
  else getSelection()?.selectAllChildren(this);
}

/** Runs in the page. Returns the value that the field accepted. */
function setValue(this: object, text: string): string {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
  set!.call(this, text);
  for (const type of ['input', 'change']) {
    EventTarget.prototype.dispatchEvent.call(this, new Event(type, { bubbles: true }));
  }
  return get!.call(this);
}

/** Runs in the page. Chooses by text, then by value; returns whether there is such an option. */
function chooseOption(this: object, wanted: string): boolean {
  const property = (name: string) => Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, name)!;
  const options = Array.from(property('options').get!.call(this) as ArrayLike<{ text: string; value: string }>);
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const by = (read: (option: { text: string; value: string }) => string) =>
    options.findIndex((option) => plain(read(option)) === plain(wanted));
  const found = [by(({ text }) => text), by(({ value }) => value)].find((index) => index >= 0);
  if (found === undefined) return false;
  property('selectedIndex').set!.call(this, found);
  for (const type of ['input', 'change']) {
    EventTarget.prototype.dispatchEvent.call(this, new Event(type, { bubbles: true }));
  }
  return true;
}

async function usableKind(element: UsedElement) {
  const kind = await ask(element, kindOf);
  if (kind === 'gone') throw new ActionFailure(GONE);
  if (kind === 'off') throw new ActionFailure('the element is disabled.');
  if (kind === 'file') throw new ActionFailure('files cannot be uploaded.');
  return kind;
}

/** Returns a note if the mouse could not reach the element. */
export async function clickElement(page: Page, element: UsedElement): Promise<string | undefined> {
  await usableKind(element);
  const point = await pointOf(element);
  const isReached = point !== undefined && (await ask(element, isReachable));
  if (isReached) {
    const { x, y } = await inPage(element.frame, point);
    await page.mouse.click(x, y);
    return undefined;
  }
  await ask(element, clickByScript);
  return 'Something covers the element, or it has no size. It was clicked by script, which may have had no effect.';
}

/** The middle of the element, relative to the frames of its process. Undefined if it is not shown. */
async function pointOf({ frame: { session }, objectId }: UsedElement): Promise<Point | undefined> {
  await session.send('DOM.scrollIntoViewIfNeeded', { objectId }).catch(() => {});
  const { quads } = await session.send('DOM.getContentQuads', { objectId }).catch(() => ({ quads: [] as number[][] }));
  const [quad] = quads.filter(([left = 0, top = 0, , , right = 0, bottom = 0]) => (right - left) * (bottom - top) > 1);
  return quad && centreOf(quad);
}

const centreOf = (quad: number[]): Point => ({
  x: (quad[0]! + quad[2]! + quad[4]! + quad[6]!) / 4,
  y: (quad[1]! + quad[3]! + quad[5]! + quad[7]!) / 4,
});

/** Frames in another process begin where their element stands in the page. */
async function inPage({ around, session, frameId }: ViewedFrame, { x, y }: Point): Promise<Point> {
  if (!around) return { x, y };
  const corner = await cornerOf(around.session, await rootOf(session, frameId));
  return { x: x + corner.x, y: y + corner.y };
}

async function rootOf(session: CDPSession, fallback: string): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree');
  return frameTree.frame.id ?? fallback;
}

async function cornerOf(session: CDPSession, frameId: string): Promise<Point> {
  try {
    const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
    const { model } = await session.send('DOM.getBoxModel', { backendNodeId });
    return { x: model.content[0]!, y: model.content[1]! };
  } catch {
    throw new ActionFailure('the element is in a frame that cannot be reached.');
  }
}

const DELAY_MS = 10;
const MAX_DELAY_MS = 2_000;

export async function typeInto(page: Page, element: UsedElement, text: string): Promise<void> {
  const kind = await usableKind(element);
  if (kind === 'settable') {
    if ((await ask(element, setValue, text)) === '' && text !== '')
      throw new ActionFailure('the field does not accept this text. Dates are written as 2026-01-31, times as 18:30.');
    return;
  }
  if (kind !== 'fillable') throw new ActionFailure('text cannot be typed into this element.');
  const { session } = element.frame;
  await session.send('DOM.focus', { objectId: element.objectId }).catch(() => {
    throw new ActionFailure('the element does not take the focus.');
  });
  await ask(element, selectText);
  await page.keyboard.press('Delete');
  await page.keyboard.type(text, { delay: Math.min(DELAY_MS, MAX_DELAY_MS / Math.max(1, text.length)) });
}

export async function chooseIn(element: UsedElement, option: string): Promise<void> {
  await usableKind(element);
  const isChosen = await ask(element, chooseOption, option).catch(() => {
    throw new ActionFailure('the element is not a list of options. Click it instead.');
  });
  if (!isChosen) throw new ActionFailure('there is no such option.');
}
