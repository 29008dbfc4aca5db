// XML elements as a small tree, and how to find things in it. Names are looked up without their prefix.

export interface XmlElement {
  /** As written, with its prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** An element that is still being read. */
export interface OpenElement extends XmlElement {
  children: XmlNode[];
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The prefix of a name with its colon, or ''. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

/** The attribute with that local name, whatever its prefix. */
export function attribute(element: XmlElement, name: string): string | undefined {
  const own = element.attributes[name];
  if (own !== undefined) return own;
  for (const [key, value] of Object.entries(element.attributes)) if (key.endsWith(`:${name}`)) return value;
  return undefined;
}

/** The child elements with that local name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((each): each is XmlElement => typeof each !== 'string' && localName(each.name) === name);

/** The first child element with that local name. */
export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((each): each is XmlElement => typeof each !== 'string' && localName(each.name) === name);

/** The first descendant with that local name, in document order. */
export function find(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = localName(child.name) === name ? child : find(child, name);
    if (found) return found;
  }
  return undefined;
}

/** All descendants with that local name, in document order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const walk = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      if (localName(child.name) === name) found.push(child);
      walk(child);
    }
  };
  walk(element);
  return found;
}

export function textOf(element: XmlElement): string {
  const texts: string[] = [];
  const walk = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === 'string') texts.push(child);
      else walk(child);
    }
  };
  walk(element);
  return texts.join('');
}
