// Reads the blocks of a list as records: title, link, image, and the named parts of each block.

import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { isHeading, TAG } from '../../../markup/html/tags.ts';
import { sideBySide } from '../../../markup/labels/side-by-side.ts';
import type { LabelledValue, PageRecord } from '../../../page/structured-data.ts';
import type { ElementText } from '../element-text.ts';
import { labelledValue } from './label.ts';
import { MAX_PART, MAX_PART_NODES, type Part, PartReader } from './named-parts.ts';

const MAX_FIELDS = 40;
const MAX_FIELDS_PER_PAGE = 20_000;
const MAX_NODES = 2_000;
const MAX_TEXT = 2_000;
const TITLE_NAME = /(?:^| )(?:title|name|headline|heading)(?: |$)/i;
const LINE = /^([^:：]{1,60}?)\s?[:：]\s+(.*)$/su;

export class RecordReader {
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #urls: PageUrls;
  readonly #text: ElementText;
  readonly #parts: PartReader;
  readonly #headings: number[] = [];
  #fields = 0;

  constructor(tree: HtmlTree, mask: Mask, urls: PageUrls, text: ElementText) {
    this.#tree = tree;
    this.#mask = mask;
    this.#urls = urls;
    this.#text = text;
    this.#parts = new PartReader(tree, urls, text);
    for (let node = 1; node < tree.size; node++) {
      if (isHeading(tree.tag[node]!) && mask[node] !== DROPPED) this.#headings.push(node);
    }
  }

  /** The blocks in document order. */
  read(blocks: readonly number[]): PageRecord[] {
    const records: PageRecord[] = [];
    let section: string | undefined;
    let next = 0;
    let end = 0;
    for (const block of blocks) {
      if (this.#fields >= MAX_FIELDS_PER_PAGE) break;
      // The last heading before the block that is not inside another one.
      let heading = 0;
      for (; next < this.#headings.length && this.#headings[next]! < block; next++) {
        if (this.#headings[next]! >= end) heading = this.#headings[next]!;
      }
      if (heading !== 0) section = this.#text.lineOf(heading, MAX_PART) || section;
      end = this.#tree.end[block]!;
      const record = this.#record(block);
      if (record.text !== '') records.push(section === undefined ? record : { ...record, section });
    }
    return records;
  }

  #record(block: number): PageRecord {
    const tree = this.#tree;
    const parts: Part[] = [];
    const beside: LabelledValue[] = [];
    const seen = { heading: 0, image: undefined as string | undefined };
    const end = Math.min(tree.end[block]!, block + MAX_NODES);
    for (let node = block; node < end && parts.length < MAX_FIELDS; node++) {
      if (this.#mask[node] === DROPPED) node = tree.end[node]! - 1;
      else if (tree.kind[node] === ELEMENT) {
        if (tree.tag[node] === TAG.img) seen.image ??= this.#urls.imageSource(node);
        if (seen.heading === 0 && isHeading(tree.tag[node]!)) seen.heading = node;
        const part = this.#parts.read(node, block);
        if (part) parts.push(part);
        if (node > block) beside.push(...sideBySide(tree, node));
      }
    }
    const title = titlePart(parts, seen.heading);
    const href = this.#hrefOf(block, title);
    const fields = [...parts.flatMap(fieldsOf), ...beside];
    this.#fields += fields.length;
    return {
      ...(title && { title: title.value }),
      ...(href !== undefined && { href }),
      ...(seen.image !== undefined && { image: seen.image }),
      fields: fields.slice(0, MAX_FIELDS),
      text: this.#text.of(block, MAX_TEXT),
    };
  }

  #hrefOf(block: number, title: Part | undefined): string | undefined {
    const { tag, end } = this.#tree;
    if (title?.href !== undefined) return title.href;
    if (title) {
      // The link around the title, or inside it.
      for (let node = title.node; node > block - 1; node = this.#tree.parent[node]!) {
        if (tag[node] === TAG.a) return this.#link(node);
      }
      for (let node = title.node; node < end[title.node]!; node++) if (tag[node] === TAG.a) return this.#link(node);
    }
    const last = Math.min(end[block]!, block + MAX_NODES);
    for (let node = block; node < last; node++) {
      const href = tag[node] === TAG.a ? this.#link(node) : undefined;
      if (href !== undefined) return href;
    }
    return undefined;
  }

  #link(node: number): string | undefined {
    return this.#urls.resolve(this.#tree.attribute(node, 'href'));
  }
}

function titlePart(parts: readonly Part[], heading: number): Part | undefined {
  const links = parts.filter(({ href }) => href !== undefined).sort((a, b) => b.value.length - a.value.length);
  return (
    parts.find(({ node }) => node === heading) ??
    parts.find(({ node }) => heading !== 0 && node > heading && node < heading + MAX_PART_NODES) ??
    parts.find(({ label }) => TITLE_NAME.test(label)) ??
    links[0]
  );
}

/** The part under its own name, and under the label in its text: "Weight: 2 kg". */
function fieldsOf({ label, value, shown, href }: Part): LabelledValue[] {
  const field = { label, value, ...(href !== undefined && { href }) };
  const [, written = '', rest = ''] = LINE.exec(shown) ?? [];
  const stated = labelledValue(written, rest, href);
  return stated ? [field, stated] : [field];
}
