// The body of somebody else's HTML as a balanced piece that can stand inside a larger document: without machinery, with
// links and pictures led elsewhere. What chapters and mails leave open must not reach beyond them.
import { decodeHTMLAttribute } from 'entities';
import { QuoteType, Tokenizer } from 'htmlparser2';
import { escapeHtml } from './escape-html.ts';

export interface FragmentRules {
  /** Read by the rules of XML: `<a/>` is closed, and a script is text like any other. */
  xml: boolean;
  /** Where a link leads instead; undefined leaves its text. A mark is raised, or says that it leads to a note or back. */
  link(href: string, isMark: boolean): string | undefined;
  /** Where a picture is instead; undefined leaves its description. */
  picture(src: string): string | undefined;
  /** What the target of jumps inside the document is called instead. */
  anchor(name: string): string;
}

// Deeper than anything that is read by people; tags beyond are left out, their text is kept.
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
/** An end tag of other elements does not reach out of these. */
const CELLS = new Set(['table', 'caption', 'td', 'th']);
/** Start tags that end an element of these names if it is the innermost. */
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
  const writer = createWriter();
  let tag = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value: string | undefined;
  /** The machinery whose end tag is awaited. */
  let skipped = '';

  const open = (selfClosed: boolean): void => {
    if (skipped !== '' || SILENT.has(tag) || WRAPPERS.has(tag)) return;
    if (MACHINERY.has(tag)) skipped = selfClosed ? '' : tag;
    else {
      const kept = keptAttributes(tag, attributes, rules, writer.isOpen('sup'));
      if (tag === 'img' && !kept.has('src')) writer.text(escapeHtml(attributes.get('alt') ?? ''));
      else writer.open(tag, kept, selfClosed);
    }
  };
  const text = (from: number, to: number): void => {
    // Character references stay as they are written; a tag that is cut off by the end comes here as text.
    if (skipped === '') writer.text(source.slice(from, to).replaceAll('<', '&lt;'));
  };

  const tokenizer = new Tokenizer(
    { xmlMode: rules.xml, decodeEntities: false, recognizeSelfClosing: rules.xml },
    {
      onopentagname(from, to) {
        tag = tagName(source.slice(from, to), rules.xml);
        attributes = new Map();
      },
      onattribname(from, to) {
        attribute = source.slice(from, to).toLowerCase();
        value = undefined;
      },
      onattribdata(from, to) {
        value = (value ?? '') + source.slice(from, to);
      },
      onattribend(quote) {
        if (attribute.startsWith('on') || attribute.startsWith('xmlns') || !/^[\w:.-]{1,100}$/.test(attribute)) return;
        if (attributes.size >= MAX_ATTRIBUTES) return;
        attributes.set(attribute, quote === QuoteType.NoValue ? '' : decodeHTMLAttribute(value ?? ''));
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(rules.xml),
      onclosetag(from, to) {
        const name = tagName(source.slice(from, to), rules.xml);
        if (skipped === name) skipped = '';
        else if (skipped === '') writer.close(name);
      },
      ontext: text,
      oncdata(from, to, endSigns) {
        if (skipped === '') writer.text(escapeHtml(source.slice(from, to - endSigns)));
      },
      onattribentity() {},
      ontextentity() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return writer.finish();
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
            ? rules.anchor(value)
            : LOADS.has(name)
              ? undefined
              : value;
    if (becomes !== undefined) kept.set(name, becomes);
  }
  return kept;
}

/** `svg:image` is an image in XML; in HTML a prefix is an office program's own invention. Unknown names are ''. */
function tagName(name: string, xml: boolean): string {
  const local = (xml ? name.slice(name.lastIndexOf(':') + 1) : name).toLowerCase();
  return /^[a-z][\w-]{0,60}$/.test(local) ? local : '';
}

const written = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');

function createWriter() {
  const parts: string[] = [];
  const openNames: string[] = [];
  /** Start tags that were left out for their depth, by name. */
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
