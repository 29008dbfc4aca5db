// Runs in the page, as one self-contained function: the document as HTML in reading order.

interface PageNode {
  nodeType: number;
  childNodes: Iterable<PageNode>;
  appendChild(child: PageNode): void;
  cloneNode(deep: boolean): PageNode;
}
interface PageElement extends PageNode {
  localName: string;
  shadowRoot: PageNode | null;
  outerHTML: string;
  innerHTML: string;
  textContent: string;
  querySelectorAll(selector: string): Iterable<PageElement>;
  assignedNodes?(options: { flatten: boolean }): PageNode[];
  attributes: Iterable<{ name: string; value: string }>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}
interface PageDocument {
  baseURI: string;
  doctype: { name: string } | null;
  documentElement: PageElement | null;
  body: PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  querySelector(selector: string): PageElement | null;
  implementation: { createHTMLDocument(title: string): PageDocument };
  createElement(name: string): PageElement;
  importNode<T extends PageNode>(node: T, deep: boolean): T;
}
declare const document: PageDocument;

export interface SerializeOptions {
  /** The content of this document's frames, which it may not be able to read itself. */
  inner: readonly { element: unknown; url: string; html: string }[];
  /** The document is a frame's: only its body is returned, with absolute URLs. */
  isInner: boolean;
  maxCharacters: number;
}

/** Null if it is larger than `maxCharacters`. */
export function serialize({ inner, isInner, maxCharacters }: SerializeOptions): string | null {
  const root = isInner ? document.body : document.documentElement;
  if (!root) return '';
  const hasShadows = () => {
    for (const element of document.querySelectorAll('*')) if (element.shadowRoot) return true;
    return false;
  };
  const doctype = document.doctype && !isInner ? `<!DOCTYPE ${document.doctype.name}>` : '';
  const capped = (html: string) => (html.length > maxCharacters ? null : html);
  if (!isInner && inner.length === 0 && !hasShadows()) return capped(doctype + root.outerHTML);

  const frames = new Map(inner.map((frame) => [frame.element, frame]));
  // Elements of a document without a window are inert: no requests, no scripts, no custom elements.
  const inert = document.implementation.createHTMLDocument('');
  const mark = `frame-${Math.random().toString(36).slice(2)}-`;
  const shown: string[] = [];

  const copyOf = (element: PageElement): PageElement => {
    const frame = frames.get(element);
    if (!frame) return inert.importNode(element, false);
    const placeholder = inert.createElement('div');
    placeholder.setAttribute('data-frame-src', frame.url);
    placeholder.textContent = `${mark}${shown.push(frame.html) - 1}.`;
    return placeholder;
  };
  const append = (parent: PageNode, node: PageNode, isShadow: boolean): void => {
    if (node.nodeType === 1) appendElement(parent, node as PageElement, isShadow);
    else if (node.nodeType === 3) parent.appendChild(inert.importNode(node, false));
  };
  // A slot shows the nodes assigned to it, or else its own content.
  const appendSlot = (parent: PageNode, slot: PageElement): void => {
    const assigned = slot.assignedNodes?.({ flatten: true }) ?? [];
    for (const child of assigned.length > 0 ? assigned : slot.childNodes) append(parent, child, true);
  };
  const appendElement = (parent: PageNode, element: PageElement, isShadow: boolean): void => {
    if (isShadow && element.localName === 'style') return;
    if (isShadow && element.localName === 'slot') return void appendSlot(parent, element);
    const copy = copyOf(element);
    parent.appendChild(copy);
    if (frames.has(element)) return;
    if (element.localName === 'template') copy.innerHTML = element.innerHTML;
    const inShadow = isShadow || element.shadowRoot !== null;
    for (const child of (element.shadowRoot ?? element).childNodes) append(copy, child, inShadow);
  };
  const makeAbsolute = (within: PageElement) => {
    for (const name of ['href', 'src', 'action', 'poster', 'data-src']) {
      for (const element of within.querySelectorAll(`[${name}]`)) {
        const address = URL.parse(element.getAttribute(name) ?? '', document.baseURI);
        if (address) element.setAttribute(name, address.href);
      }
    }
  };

  const holder = inert.createElement('div');
  try {
    append(holder, root, false);
  } catch {
    // Nested too deeply for recursion: return it without frames and shadow roots.
    return capped(isInner ? root.innerHTML : doctype + root.outerHTML);
  }
  if (isInner) makeAbsolute(holder);
  const html = isInner ? holder.innerHTML.replace(/^<body[^>]*>|<\/body>$/g, '') : doctype + holder.innerHTML;
  const whole = html.split(mark).map((part, at) => {
    if (at === 0) return part;
    const end = part.indexOf('.');
    return (shown[Number(part.slice(0, end))] ?? '') + part.slice(end + 1);
  });
  return capped(whole.join(''));
}
