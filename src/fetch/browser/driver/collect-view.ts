// Runs in the page, in an isolated world: lists its text and the elements that can be used, in document order, through open
// shadow roots, within limits of nodes, characters, elements and time.
import type { PageAccess, PageElement, PageNode } from '../page/styles/page-access.ts';
import { accessPage } from '../page/styles/page-access.ts';
import { describeElement, roleOf, shortText } from './describe-element.ts';

export interface ViewLimits {
  nodes: number;
  characters: number;
  elements: number;
  ms: number;
  /** The number of the first element. */
  first: number;
}

export interface CollectedView {
  lines: string[];
  /** How many elements were numbered. */
  count: number;
  isCut: boolean;
}

interface Visit {
  node: PageNode | null;
  /** Its text already stands in the name of an element around it. */
  isSilent: boolean;
  /** The end of a block. */
  isEnd?: true;
  /** Nodes that a slot shows, from this one on. */
  slotted?: { nodes: ArrayLike<PageNode>; at: number };
}

export type ViewWriter = ReturnType<typeof createViewWriter>;

declare const document: PageNode;
declare const viewedElements: { list: PageElement[] };
declare const HTMLSlotElement: { prototype: { assignedNodes(options: { flatten: boolean }): ArrayLike<PageNode> } };
declare const Element: { prototype: { checkVisibility(options?: object): boolean } };

export function createViewWriter(limits: ViewLimits) {
  const lines: string[] = [];
  let line = '';
  let prefix = '';
  let size = 0;
  const add = (text: string) => {
    lines.push(text);
    size += text.length + 1;
  };
  const flush = () => {
    const text = line.trim();
    // Text never looks like an element: those begin with a bracket.
    if (text !== '') add(`${prefix}- ${text}`);
    line = '';
    prefix = '';
  };
  return {
    lines,
    isFull: () => size >= limits.characters || viewedElements.list.length >= limits.elements,
    flush,
    text(data: string) {
      line += ` ${data.slice(0, 2_000).replace(/\s+/g, ' ').trim()}`;
      if (line.length > 500) flush();
    },
    heading() {
      flush();
      prefix = '#';
    },
    element(element: PageElement, about: string) {
      flush();
      viewedElements.list.push(element);
      add(`[${limits.first + viewedElements.list.length - 1}] ${about}`);
    },
    note(text: string) {
      flush();
      add(text);
    },
  };
}

export function isShown(access: PageAccess, element: PageElement): boolean {
  if (access.attribute(element, 'aria-hidden') === 'true') return false;
  if (Element.prototype.checkVisibility.call(element)) return true;
  // An element without a box of its own can still have children that are shown.
  return access.style(element).display === 'contents';
}

/** Whether a click probably does something, for elements whose role does not say so. */
export function isClickable(access: PageAccess, element: PageElement): boolean {
  if (['label', 'body', 'html'].includes(access.name(element))) return false;
  if (access.attribute(element, 'onclick') !== '') return true;
  if (/^\d+$/.test(access.attribute(element, 'tabindex'))) return true;
  if (access.style(element).cursor !== 'pointer') return false;
  const parent = access.parent(element);
  return parent === null || access.style(parent).cursor !== 'pointer';
}

/** Writes what the element itself says. Undefined: nothing inside of it is looked at. */
export function visitViewed(
  access: PageAccess,
  view: ViewWriter,
  element: PageElement,
  isSilent: boolean,
): { isSilent: boolean; isBlock: boolean; isHeading?: true } | undefined {
  const name = access.name(element);
  if (/^(?:script|style|noscript|template|head|svg|datalist|object|embed|audio|video|canvas)$/.test(name))
    return undefined;
  if (!isShown(access, element)) return undefined;
  if (name === 'iframe' || name === 'frame') {
    view.note(`frame ${JSON.stringify(access.cut(access.attribute(element, 'title'), 80))}`);
    return undefined;
  }
  if (name === 'img') {
    const alt = access.cut(access.attribute(element, 'alt'), 120);
    if (alt !== '' && !isSilent) view.text(`(image: ${alt})`);
    return undefined;
  }
  if (name === 'br') view.flush();
  const isBlock =
    !/^(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr|slot)$/.test(
      name,
    );
  const role = roleOf(access, element);
  if (role !== undefined) {
    view.element(element, describeElement(access, element, role));
    return /^(?:select|textarea|input)$/.test(name) ? undefined : { isSilent: true, isBlock };
  }
  if (isClickable(access, element)) {
    const label = shortText(access, element, 80);
    // A large area keeps its text; that of a small one is its name.
    const isSmall = label.length < 80;
    if (label !== '') view.element(element, `clickable ${JSON.stringify(label)}`);
    return { isSilent: isSilent || (isSmall && label !== ''), isBlock };
  }
  return { isSilent, isBlock, ...(/^h[1-6]$/.test(name) && { isHeading: true as const }) };
}

/** What an element shows: its shadow tree, what is slotted into it, or its children. */
export function insideOf(access: PageAccess, node: PageNode, isSilent: boolean): Visit {
  const isElement = access.type(node) === 1;
  const shadow = isElement ? access.shadow(node) : null;
  if (shadow) return { node: access.first(shadow), isSilent };
  if (isElement && access.name(node) === 'slot') {
    const nodes = HTMLSlotElement.prototype.assignedNodes.call(node as never, { flatten: true });
    if (nodes.length > 0) return { node: nodes[0]!, isSilent, slotted: { nodes, at: 0 } };
  }
  return { node: access.first(node), isSilent };
}

export function nextOf(access: PageAccess, node: PageNode, isSilent: boolean, slotted: Visit['slotted']): Visit {
  if (!slotted) return { node: access.next(node), isSilent };
  const at = slotted.at + 1;
  return { node: slotted.nodes[at] ?? null, isSilent, slotted: { nodes: slotted.nodes, at } };
}

export function collectView(limits: ViewLimits): CollectedView {
  const access = accessPage();
  const view = createViewWriter(limits);
  const end = performance.now() + limits.ms;
  const stack: Visit[] = [{ node: access.first(document), isSilent: false }];
  let isCut = false;
  for (let visited = 0; stack.length > 0; visited += 1) {
    if (visited >= limits.nodes || view.isFull() || (visited % 128 === 0 && performance.now() > end)) {
      isCut = true;
      break;
    }
    const { node, isSilent, isEnd, slotted } = stack.pop()!;
    if (isEnd) view.flush();
    if (node === null) continue;
    // Siblings are pushed one at a time: the stack stays as small as the page is deep.
    stack.push(nextOf(access, node, isSilent, slotted));
    if (access.type(node) === 3) {
      if (!isSilent) view.text(access.data(node) ?? '');
      continue;
    }
    if (access.type(node) !== 1) continue;
    const inside = visitViewed(access, view, node as PageElement, isSilent);
    if (inside?.isBlock) {
      view.flush();
      stack.push({ node: null, isSilent, isEnd: true });
    }
    if (inside?.isHeading && !isSilent) view.heading();
    if (inside) stack.push(insideOf(access, node, inside.isSilent));
  }
  view.flush();
  return { lines: view.lines, count: viewedElements.list.length, isCut };
}
