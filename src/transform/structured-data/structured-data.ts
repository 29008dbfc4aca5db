// Everything that a page says in a form that programs can read. It takes linear time, and every list has a limit.

import { ELEMENT, type HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { StructuredData } from '../../page/structured-data.ts';
import { visibleContent } from '../choose-content.ts';
import { ElementText } from './element-text.ts';
import { EmbeddedReader } from './embedded-json.ts';
import { jsonLdItems } from './items/json-ld.ts';
import { LenientJson } from './items/lenient-json.ts';
import { microdataItems } from './items/microdata.ts';
import { rdfaItems } from './items/rdfa.ts';
import { dataTables } from './layout/data-tables.ts';
import { uniquePairs } from './layout/label.ts';
import { LabelValues } from './layout/label-values.ts';
import { PartReader, pageParts } from './layout/named-parts.ts';
import { RecordReader } from './layout/page-records.ts';
import { repeatedBlocks } from './layout/repeated-blocks.ts';
import { readSubject } from './layout/subject.ts';
import { metaTags } from './meta-tags.ts';
import { priceList } from './price-lists/price-lists.ts';

const MAX_SCRIPTS = 200;
const JSON_LD = /^application\/ld\+json(?:\s*;|$)/;

export function structuredData(tree: HtmlTree, urls: PageUrls): StructuredData {
  const { documents, embedded } = readScripts(tree);
  // Marked properties are data even where they are not shown. All else counts only where readers can see it.
  const marked = new ElementText(tree);
  const items = [
    ...jsonLdItems(documents, urls),
    ...microdataItems(tree, urls, marked),
    ...rdfaItems(tree, urls, marked),
  ];
  const mask = visibleContent(tree);
  const visible = new ElementText(tree, mask);
  const { tables, pairs, nodes } = dataTables(tree, mask, urls, visible);
  const reader = new RecordReader(tree, mask, urls, visible);
  const repeated = repeatedBlocks(tree, mask, nodes);
  const meta = metaTags(tree, urls);
  return {
    items,
    meta,
    tables,
    pairs: uniquePairs([...pairs, ...new LabelValues(tree, mask, urls, visible).read()]),
    records: [...repeated.map((blocks) => reader.read(blocks)), priceList(tree, mask, urls)].filter(
      (records) => records.length > 1,
    ),
    parts: pageParts(tree, mask, new PartReader(tree, urls, visible), repeated),
    embedded,
    subject: readSubject({ tree, mask, urls, text: visible }, [titleOf(tree), meta['og:title'] ?? ''], repeated),
  };
}

function titleOf(tree: HtmlTree): string {
  for (let node = 1; node < tree.size; node++) if (tree.tag[node] === TAG.title) return tree.text(node + 1);
  return '';
}

function readScripts(tree: HtmlTree): { documents: unknown[]; embedded: StructuredData['embedded'] } {
  const documents: unknown[] = [];
  const json = new LenientJson();
  const embedded = new EmbeddedReader(tree);
  for (let node = 1, scripts = 0; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (tree.tag[node] !== TAG.script) {
      embedded.readAttributes(node);
      continue;
    }
    if (node + 1 >= tree.end[node]! || scripts++ >= MAX_SCRIPTS) continue;
    const type = (tree.attribute(node, 'type') ?? '').trim().toLowerCase();
    const source = tree.text(node + 1);
    if (JSON_LD.test(type)) documents.push(json.parse(source));
    else embedded.readScript(node, type, source);
  }
  return { documents, embedded: embedded.found };
}
