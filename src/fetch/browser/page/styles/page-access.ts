// Runs in the page: reads elements in ways that a page cannot redirect. The isolated world protects prototypes; named form
// controls and pictures still shadow the properties of forms and of the document, so getters are taken from prototypes.
import type { Rect } from '../../../../page/page-styles.ts';

export interface PageNode {
  readonly nodeType: number;
}
export interface PageElement extends PageNode {
  readonly shadowRoot: PageNode | null;
}
export interface ComputedStyle {
  readonly [property: string]: string;
}
interface Prototype {
  prototype: object;
}
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
declare const Node: Prototype;
declare const Element: Prototype & {
  prototype: {
    getAttribute(name: string): string | null;
    getBoundingClientRect(): Box;
    closest(selector: string): PageElement | null;
    querySelectorAll(selector: string): ArrayLike<PageElement>;
  };
};
declare const Document: Prototype & {
  prototype: {
    querySelectorAll(selector: string): ArrayLike<PageElement>;
    getElementById(id: string): PageElement | null;
  };
};
declare const document: object;
declare const scrollX: number;
declare const scrollY: number;
declare function getComputedStyle(element: PageElement): ComputedStyle;

export type PageAccess = ReturnType<typeof accessPage>;

export function accessPage() {
  const getter = <T>(owner: Prototype, name: string) => {
    const get = Object.getOwnPropertyDescriptor(owner.prototype, name)!.get!;
    return (node: PageNode): T => get.call(node);
  };
  const name = getter<string>(Element, 'localName');
  const attribute = (element: PageElement, key: string): string =>
    Element.prototype.getAttribute.call(element, key) ?? '';
  const cut = (text: string, length: number) =>
    text
      .slice(0, length * 4)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, length);
  return {
    name,
    attribute,
    first: getter<PageNode | null>(Node, 'firstChild'),
    next: getter<PageNode | null>(Node, 'nextSibling'),
    parent: getter<PageElement | null>(Node, 'parentElement'),
    type: getter<number>(Node, 'nodeType'),
    data: getter<string | null>(Node, 'nodeValue'),
    text: getter<string | null>(Node, 'textContent'),
    shadow: getter<PageNode | null>(Element, 'shadowRoot'),
    base: getter<string>(Node, 'baseURI'),
    style: (element: PageElement) => getComputedStyle(element),
    all: (selector: string) => Document.prototype.querySelectorAll.call(document, selector),
    within: (element: PageElement, selector: string) => Element.prototype.querySelectorAll.call(element, selector),
    closest: (element: PageElement, selector: string) => Element.prototype.closest.call(element, selector),
    byId: (id: string) => Document.prototype.getElementById.call(document, id),
    cut,
    rect(element: PageElement): Rect {
      const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
      const round = (value: number) => Math.round(value * 10) / 10;
      return { x: round(left + scrollX), y: round(top + scrollY), width: round(width), height: round(height) };
    },
    /** Class, ID and the like, as one text. */
    label: (element: PageElement) =>
      cut(
        [name(element), ...['type', 'id', 'class', 'aria-label'].map((key) => attribute(element, key))].join(' '),
        160,
      ),
    /** Computed colours are written as `rgba(1, 2, 3, 0)` or `oklch(1 2 3 / 0)` if they cannot be seen. */
    isVisible: (color: string) =>
      color !== '' && color !== 'transparent' && !/^rgba\(.*,\s*0\)$|\/\s*0%?\)$/.test(color),
  };
}
