// RSS, RDF and Atom feeds as Markdown: a heading and a list of linked items with dates and summaries.

import { TEXT } from '../../markup/html/html-tree.ts';
import { resolveUrl } from '../../markup/html/page-urls.ts';
import { parseHtml } from '../../markup/html/parse-html.ts';
import { isInvisible } from '../../markup/html/tags.ts';
import { createXmlStream } from '../../markup/xml/xml-stream.ts';
import type { PageMetadata } from '../../page/page.ts';
import { escapeText, linkTarget } from '../markdown/escape-markdown.ts';

interface Entry {
  title: string;
  link: string;
  date: string;
  summary: string;
}

const MAX_DEPTH = 64;
const MAX_ITEMS = 1000;
const MAX_SUMMARY = 1000;
const ITEM = new Set(['item', 'entry']);
/** Takes precedence over other dates of an item. */
const PUBLISHED = new Set(['pubdate', 'published']);
const FIELD: Record<string, keyof Entry> = {
  title: 'title',
  pubdate: 'date',
  published: 'date',
  updated: 'date',
  'dc:date': 'date',
  description: 'summary',
  summary: 'summary',
  subtitle: 'summary',
  'content:encoded': 'summary',
  content: 'summary',
};

export function readFeed(
  source: string,
  url: string,
): { markdown: string; links: string[]; metadata: PageMetadata } | undefined {
  const { channel, items, language } = collect(source);
  if (channel.title === '' && items.length === 0) return undefined;
  const absolute = (link: string) => resolveUrl(link, url) ?? '';
  const blocks = [`# ${plainText(channel.title) || 'Feed'}`];
  const about = plainText(channel.summary);
  if (about !== '') blocks.push(about);
  blocks.push(items.map((item) => itemMarkdown(item, absolute(item.link))).join('\n'));
  const links = [...new Set([channel.link, ...items.map(({ link }) => link)].filter(Boolean).map(absolute))];
  const metadata: PageMetadata = {};
  if (channel.title !== '') metadata.title = plainText(channel.title);
  if (about !== '') metadata.description = about;
  if (language !== '') metadata.language = language;
  return { markdown: blocks.join('\n\n').trim(), links: links.filter(Boolean), metadata };
}

function itemMarkdown(item: Entry, link: string): string {
  const title = escapeText(plainText(item.title), true) || 'Untitled';
  const head = link === '' ? title : `[${title}](${linkTarget(link)})`;
  const time = Date.parse(item.date);
  const date = Number.isNaN(time) ? '' : ` (${new Date(time).toISOString().slice(0, 10)})`;
  const summary = escapeText(plainText(item.summary).slice(0, MAX_SUMMARY), false);
  return `- ${head}${date}${summary === '' ? '' : `  \n  ${summary}`}`;
}

function collect(source: string): { channel: Entry; items: Entry[]; language: string } {
  const empty = (): Entry => ({ title: '', link: '', date: '', summary: '' });
  const channel = empty();
  const items: Entry[] = [];
  const path: string[] = [];
  let language = '';
  let entry = channel;
  let text = '';

  const stream = createXmlStream({
    open(fullName, attributes) {
      const name = fullName.toLowerCase();
      path.push(name);
      text = '';
      if (ITEM.has(name)) {
        entry = empty();
        items.push(entry);
      }
      if (name === 'link' && attributes.href && (attributes.rel ?? 'alternate') === 'alternate')
        entry.link ||= attributes.href;
      // Real feeds are not nested this deeply, and the cost of a tag grows with the depth.
      if (path.length > MAX_DEPTH || items.length > MAX_ITEMS) stream.stop();
    },
    text(more) {
      text += more;
    },
    close() {
      const name = path.pop() ?? '';
      const parent = path[path.length - 1] ?? '';
      const owner = ITEM.has(parent) || parent === 'channel' || parent === 'feed';
      const field = FIELD[name];
      if (owner && field) entry[field] = (!PUBLISHED.has(name) && entry[field]) || text.trim() || entry[field];
      if (owner && name === 'link') entry.link ||= text.trim();
      if (owner && name === 'language') language ||= text.trim();
      if (ITEM.has(name)) entry = channel;
      text = '';
    },
    // Feeds are written by hand as often as by programs: whatever can be read of one is.
    fault() {},
  });
  stream.write(source);
  stream.end();
  return { channel, items: items.slice(0, MAX_ITEMS), language };
}

/** Titles and summaries often contain HTML. */
function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim();
  const tree = parseHtml(html);
  let text = '';
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] === TEXT) text += `${tree.text(node)} `;
    else if (isInvisible(tree.tag[node]!) && tree.tagName(node) !== 'head') node = tree.end[node]! - 1;
  }
  return text.replace(/\s+/g, ' ').trim();
}
