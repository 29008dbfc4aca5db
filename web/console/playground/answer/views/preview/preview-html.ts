// The HTML of a page for its preview: only elements that carry text and structure, no script, no style, and nothing that
// loads. The frame around it runs nothing either; this keeps it from asking for things that its rules would refuse.
import { cutText, isWebUrl, plainLine } from '../../../../ui/data/untrusted.ts';

const MAX_HTML = 1_000_000;
const MAX_NODES = 20_000;
const MAX_TEXT = 300_000;

const KEPT = new Set(
  'a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark menu nav ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr'.split(
    ' ',
  ),
);
const LEFT_OUT = new Set(
  'script style link meta base title head template noscript iframe frame frameset object embed applet svg math canvas audio video source track input button select textarea option datalist dialog portal'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(['colspan', 'rowspan', 'dir', 'lang', 'title', 'start', 'reversed', 'open', 'scope']);

interface Budget {
  nodes: number;
  text: number;
}

export interface Preview {
  /** A whole document. */
  html: string;
  isCut: boolean;
}

/** `stylesheet` is the address of a stylesheet of ours, `theme` the colours that the reader has chosen. */
export function previewHtml(html: string, { stylesheet, theme }: { stylesheet: string; theme?: string }): Preview {
  const { text, wholeLength } = cutText(html, MAX_HTML);
  // A document that is parsed so runs no script and loads nothing.
  const page = new DOMParser().parseFromString(withoutStyles(text), 'text/html');
  const made = document.implementation.createHTMLDocument('Preview');
  const budget: Budget = { nodes: MAX_NODES, text: MAX_TEXT };
  made.documentElement.lang = 'und';
  if (theme) made.documentElement.dataset.theme = theme;
  const sheet = made.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = stylesheet;
  made.head.append(sheet);
  made.body.className = 'preview-page';
  made.body.dir = 'auto';
  copyChildren(page.body, made.body, made, budget);
  const isCut = wholeLength !== undefined || budget.nodes <= 0 || budget.text <= 0;
  return { html: `<!doctype html>${made.documentElement.outerHTML}`, isCut };
}

/** Even in such a document, styles are reported as breaches of our rules. Each is renamed, and left out below. */
const withoutStyles = (html: string): string =>
  html
    .replace(/<(\/?)style\b/gi, '<$1script')
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'/])style(?=\s*=)/gi, '$1data-style'));

/** The parser of the platform nests elements at most 512 deep. */
function copyChildren(from: Element, to: Element, made: Document, budget: Budget): void {
  for (const node of from.childNodes) {
    if (budget.nodes <= 0 || budget.text <= 0) return;
    budget.nodes -= 1;
    if (node.nodeType === Node.TEXT_NODE) {
      const { text } = cutText(node.nodeValue ?? '', budget.text);
      budget.text -= text.length;
      to.append(text);
    } else if (node instanceof Element || node.nodeType === Node.ELEMENT_NODE) {
      copyElement(node as Element, to, made, budget);
    }
  }
}

function copyElement(element: Element, to: Element, made: Document, budget: Budget): void {
  const name = element.localName;
  if (LEFT_OUT.has(name)) return;
  if (name === 'img' || name === 'picture') {
    to.append(imageChip(element, made));
    return;
  }
  if (!KEPT.has(name)) {
    copyChildren(element, to, made, budget);
    return;
  }
  const copy = made.createElement(name);
  for (const { name: key, value } of element.attributes) {
    if (ATTRIBUTES.has(key)) copy.setAttribute(key, cutText(value, 500).text);
  }
  // Links of a preview lead nowhere, but say where they would.
  const target = name === 'a' ? (element.getAttribute('href') ?? '') : '';
  if (isWebUrl(target)) copy.title = plainLine(target);
  to.append(copy);
  copyChildren(element, copy, made, budget);
}

function imageChip(element: Element, made: Document): Element {
  const image = element.localName === 'img' ? element : element.querySelector('img');
  const chip = made.createElement('span');
  chip.className = 'preview-image';
  chip.textContent = plainLine(image?.getAttribute('alt') || 'Image', 120);
  return chip;
}
