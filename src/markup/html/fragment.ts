// The body of foreign HTML (a chapter, a mail) as a balanced fragment that is safe inside a larger document:
// scripts and styles are removed, links and pictures redirected, and open elements closed.
import { decodeHTMLAttribute } from 'entities';
import { XmlScanner } from '../xml/scan-xml.ts';
import { escapeHtml } from './escape-html.ts';
import { TreeBuilder } from './flat-tree.ts';
import { normaliseHtml } from './parse-html.ts';
import { HtmlScanner } from './scan-html.ts';
import { TAG } from './tags.ts';

export interface FragmentRules {
  /** Follow the rules of XML: `<a/>` is closed, and scripts contain markup. */
  xml: boolean;
  /** The new target of a link; undefined keeps only its text. `isMark` is set for note references and back links. */
  link(href: string, isMark: boolean): string | undefined;
  /** The new address of a picture; undefined replaces it with its description. */
  picture(src: string): string | undefined;
  /** The new name of a target for jumps inside the document. */
  anchorName(name: string): string;
}

// Deeper than any text for people. Tags beyond this are dropped; their text is kept.
const MAX_DEPTH = 400;
const MAX_ATTRIBUTES = 50;
const WRAPPERS = new Set(['html', 'head', 'body']);
const MACHINERY = new Set(['script', 'style', 'title', 'template', 'noframes', 'noembed', 'plaintext']);
const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);
const SILENT = new Set(['base', 'link', 'meta']);
/** Attributes that make a reader load something. */
const LOADS = new Set('src srcset href xlink:href poster data background action formaction ping'.split(' '));
const NOTE_LINK = /noteref|backlink/;
const TABLE_PARTS = new Set(['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']);
/** End tags of other elements do not close these. */
const CELLS = new Set(['table', 'caption', 'td', 'th']);
/** By start tag: the elements it ends if they are innermost. */
const ENDED_BY: Readonly<Record<string, readonly string[]>> = {
  p: ['p'],
  li: ['li', 'p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  option: ['option'],
  td: ['td', 'th', 'p'],
  th: ['td', 'th', 'p'],
  tr: ['tr', 'td', 'th', 'p'],
};

export function bodyFragment(source: string, rules: FragmentRules): string {
  const body = createBody(rules);
  if (rules.xml) scanXml(source, body);
  else scanHtml(source, body);
  return body.finish();
}

function scanXml(source: string, body: Body): void {
  const name = (written: string) => tagName(written.slice(written.lastIndexOf(':') + 1));
  const scanner = new XmlScanner({
    startTag(written, attributes, isEmpty) {
      const pairs = Array.from({ length: attributes.length / 2 }, (_, nth): [string, string] => [
        attributes[2 * nth]!,
        decodeHTMLAttribute(attributes[2 * nth + 1]!),
      ]);
      body.startTag(name(written), pairs, isEmpty);
    },
    endTag: (written) => body.endTag(name(written)),
    text: body.text,
    cdata: (text) => body.text(escapeHtml(text)),
    // Books are read as far as they can be.
    fault() {},
  });
  scanner.write(source);
  scanner.end();
}

function scanHtml(source: string, body: Body): void {
  const html = normaliseHtml(source);
  const tree = new TreeBuilder(html);
  const name = (tag: number) => tagName(tree.tags.names[tag] ?? '');
  let opened = 0;
  const scanner = new HtmlScanner(html, tree, {
    inForeignContent: false,
    startTag(tag, firstAttribute, count) {
      body.startTag(name(tag), tree.attributesIn(firstAttribute, count), false);
      tree.dropAttributes(firstAttribute);
      opened = tag;
    },
    endTag(tag) {
      body.endTag(name(tag));
      opened = 0;
    },
    text(start, end) {
      // The scanner skips the line break after <pre>, but the next reader of the fragment will do so again.
      const from = opened === TAG.pre && html[start - 1] === '\n' ? start - 1 : start;
      body.text(html.slice(from, end));
      opened = 0;
    },
  });
  scanner.run(Number.POSITIVE_INFINITY);
}

interface Body {
  startTag(tag: string, attributes: Iterable<[name: string, value: string]>, isClosed: boolean): void;
  endTag(tag: string): void;
  /** Character references stay as they are written. */
  text(raw: string): void;
  finish(): string;
}

function createBody(rules: FragmentRules): Body {
  const writer = createWriter();
  /** The machinery whose end tag is awaited. */
  let skipped = '';

  return {
    startTag(tag, given, isClosed) {
      if (skipped !== '' || SILENT.has(tag) || WRAPPERS.has(tag)) return;
      if (MACHINERY.has(tag)) {
        skipped = isClosed ? '' : tag;
        return;
      }
      const attributes = safeAttributes(given);
      const kept = keptAttributes(tag, attributes, rules, writer.isOpen('sup'));
      if (tag === 'img' && !kept.has('src')) writer.text(escapeHtml(attributes.get('alt') ?? ''));
      else writer.open(tag, kept, isClosed);
    },
    endTag(tag) {
      if (skipped === tag) skipped = '';
      else if (skipped === '') writer.close(tag);
    },
    text(raw) {
      if (skipped === '') writer.text(raw.replaceAll('<', '&lt;'));
    },
    finish: writer.finish,
  };
}

/** Without handlers, name spaces, and names that could break out of the tag. */
function safeAttributes(given: Iterable<[name: string, value: string]>): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [written, value] of given) {
    const name = written.toLowerCase();
    if (name.startsWith('on') || name.startsWith('xmlns') || !/^[\w:.-]{1,100}$/.test(name)) continue;
    if (attributes.size >= MAX_ATTRIBUTES) break;
    attributes.set(name, value);
  }
  return attributes;
}

function keptAttributes(
  tag: string,
  attributes: ReadonlyMap<string, string>,
  rules: FragmentRules,
  isRaised: boolean,
): Map<string, string> {
  const kept = new Map<string, string>();
  const says = `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`;
  for (const [name, value] of attributes) {
    const becomes =
      tag === 'a' && name === 'href'
        ? rules.link(value.trim(), isRaised || NOTE_LINK.test(says))
        : tag === 'img' && name === 'src'
          ? rules.picture(value.trim())
          : name === 'id' || (tag === 'a' && name === 'name')
            ? rules.anchorName(value)
            : LOADS.has(name)
              ? undefined
              : value;
    if (becomes !== undefined) kept.set(name, becomes);
  }
  return kept;
}

/** Names with a prefix or other strange characters become '': in HTML they are an office program's own invention. */
function tagName(name: string): string {
  const lower = name.toLowerCase();
  return /^[a-z][\w-]{0,60}$/.test(lower) ? lower : '';
}

const written = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');

function createWriter() {
  const parts: string[] = [];
  const openNames: string[] = [];
  /** How many start tags were dropped for their depth, by name. */
  const beyond = new Map<string, number>();
  const closeTop = (): void => {
    parts.push(`</${openNames.pop()}>`);
  };

  return {
    isOpen: (name: string): boolean => openNames.includes(name),
    text(raw: string): void {
      parts.push(raw);
    },
    open(name: string, attributes: ReadonlyMap<string, string>, selfClosed: boolean): void {
      if (name === '') return;
      const tag = `<${name}${written(attributes)}>`;
      if (VOID.has(name)) {
        parts.push(tag);
        return;
      }
      for (const ended = ENDED_BY[name] ?? []; ended.includes(openNames.at(-1) ?? ''); ) closeTop();
      if (selfClosed) parts.push(`${tag}</${name}>`);
      else if (openNames.length >= MAX_DEPTH) beyond.set(name, (beyond.get(name) ?? 0) + 1);
      else {
        parts.push(tag);
        openNames.push(name);
      }
    },
    close(name: string): void {
      const leftOut = beyond.get(name) ?? 0;
      if (leftOut > 0) {
        beyond.set(name, leftOut - 1);
        return;
      }
      const isTablePart = TABLE_PARTS.has(name);
      for (let at = openNames.length - 1; at >= 0; at--) {
        const above = openNames[at]!;
        if (above === name) {
          while (openNames.length > at) closeTop();
          return;
        }
        if (!isTablePart && CELLS.has(above)) return;
      }
    },
    finish(): string {
      while (openNames.length > 0) closeTop();
      return parts.join('');
    },
  };
}
