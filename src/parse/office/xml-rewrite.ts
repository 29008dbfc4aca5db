// Changing XML: a tree made anew from another, and written as text.
import { escapeHtml } from '../../markup/html/escape.ts';
import type { XmlElement } from '../../markup/xml/xml.ts';

type Node = XmlElement | string;

/** What stands in the place of an element; undefined: itself, with its children looked at in turn. */
export type Visit = (element: XmlElement) => readonly Node[] | undefined;

export function rewrite(element: XmlElement, visit: Visit): XmlElement {
  const children: Node[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') children.push(child);
    else children.push(...(visit(child) ?? [rewrite(child, visit)]));
  }
  return { ...element, children };
}

export const writeXml = (root: XmlElement): Uint8Array => Buffer.from(elementXml(root));

export function elementXml(root: XmlElement): string {
  const parts: string[] = [];
  const write = (element: XmlElement) => {
    parts.push(openTag(element));
    if (element.children.length === 0) {
      parts.push('/>');
      return;
    }
    parts.push('>');
    for (const child of element.children) {
      if (typeof child === 'string') parts.push(escapeHtml(child));
      else write(child);
    }
    parts.push('</', element.name, '>');
  };
  write(root);
  return parts.join('');
}

/** Up to its last sign, which says whether it is empty. */
export function openTag({ name, attributes }: XmlElement): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) tag += ` ${key}="${escapeAttribute(value)}"`;
  return tag;
}

const escapeAttribute = (value: string): string =>
  escapeHtml(value).replace(/[\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`);

/** The prefix of a name with its colon; '' where there is none. */
export const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

/** The attribute of that local name, whatever its prefix. */
export function attribute(element: XmlElement, name: string): string | undefined {
  const own = element.attributes[name];
  if (own !== undefined) return own;
  for (const [key, value] of Object.entries(element.attributes)) if (key.endsWith(`:${name}`)) return value;
  return undefined;
}
