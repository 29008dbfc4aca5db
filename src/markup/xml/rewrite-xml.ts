// Changing XML: a new tree made from another, and trees written as text.
import { escapeHtml } from '../html/escape-html.ts';
import type { XmlElement, XmlNode } from './xml-tree.ts';

/** What replaces an element. Undefined keeps it and looks at its children in turn. */
export type Replace = (element: XmlElement) => readonly XmlNode[] | undefined;

export function rewrite(element: XmlElement, replace: Replace): XmlElement {
  const children: XmlNode[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') children.push(child);
    else children.push(...(replace(child) ?? [rewrite(child, replace)]));
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

/** The start tag without its final `>` or `/>`. */
export function openTag({ name, attributes }: XmlElement): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) tag += ` ${key}="${escapeAttribute(value)}"`;
  return tag;
}

const escapeAttribute = (value: string): string =>
  escapeHtml(value).replace(/[\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`);
