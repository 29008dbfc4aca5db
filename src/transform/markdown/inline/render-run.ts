// Renders a run as Markdown, with each text escaped for its context.
import { codeSpan, escapeText, linkTarget, linkTitle } from '../escape-markdown.ts';
import { chooseForms } from './emphasis.ts';
import {
  CLOSE,
  CODE,
  delimiterOf,
  firstChar,
  type InlineRun,
  lastChar,
  type MarkUse,
  NOTHING,
  OPEN,
  RAW,
  TAGS,
  TEXT,
  textAt,
  useAt,
} from './inline-run.ts';

export function renderRun(run: InlineRun): string {
  const { kinds } = run;
  if (kinds.length === 1 && kinds[0] === TEXT) return escapeText(textAt(run, 0), false, '', '');
  settleForms(run);
  let out = '';
  let before = '';
  let insideLink = false;
  for (let at = 0; at < kinds.length; at++) {
    switch (kinds[at]) {
      case TEXT:
        out += textMarkdown(run, at, insideLink, before);
        break;
      case RAW:
        out += textAt(run, at);
        break;
      case CODE:
        out += codeSpan(textAt(run, at));
        break;
      case OPEN:
      case CLOSE: {
        const opens = kinds[at] === OPEN;
        const use = useAt(run, at);
        if (use.mark.kind === 'link') insideLink = opens;
        out += opens ? opening(use) : closing(run, at, use);
        break;
      }
      default:
        out += run.lineBreak;
    }
    before = lastChar(run, at, before);
  }
  return out;
}

function textMarkdown(run: InlineRun, at: number, insideLink: boolean, before: string): string {
  const text = textAt(run, at);
  const after = firstChar(run, at + 1);
  const escaped = escapeText(text, insideLink, before, after);
  // An exclamation mark right before a link would make it an image.
  return after === '[' && text.endsWith('!') ? `${escaped.slice(0, -1)}\\!` : escaped;
}

function opening(use: MarkUse): string {
  if (use.mark.kind === 'link') return '[';
  return use.form === TAGS ? `<${use.mark.kind}>` : delimiterOf(use);
}

function closing(run: InlineRun, at: number, use: MarkUse): string {
  if (use.mark.kind !== 'link') return use.form === TAGS ? `</${use.mark.kind}>` : delimiterOf(use);
  const { url, title } = use.mark;
  const says = title !== '' && !repeats(title, linkText(run, at), url);
  return `](${linkTarget(url)}${says ? ` ${linkTitle(title)}` : ''})`;
}

/** Many link titles repeat the link text or the page name in the address. */
function repeats(title: string, text: string, url: string): boolean {
  const plain = title.toLowerCase();
  return text.toLowerCase().includes(plain) || url.toLowerCase().replaceAll('_', ' ').includes(plain);
}

function linkText(run: InlineRun, close: number): string {
  let open = close;
  while (run.items[open] !== run.items[close] || run.kinds[open] !== OPEN) open -= 1;
  let text = '';
  for (let at = open; at < close; at++) if (run.kinds[at]! <= CODE) text += textAt(run, at);
  return text;
}

function settleForms(run: InlineRun): void {
  let emphasised = false;
  for (let at = 0; at < run.kinds.length; at++) {
    if (run.kinds[at] !== OPEN) continue;
    const use = useAt(run, at);
    // Markdown has no syntax for superscript; around a link or an image, the tag would only be noise.
    if (use.mark.kind === 'sup' || use.mark.kind === 'sub') use.form = holdsLink(run, at) ? NOTHING : TAGS;
    else if (use.mark.kind !== 'link') emphasised = true;
  }
  if (emphasised) chooseForms(run);
}

function holdsLink(run: InlineRun, open: number): boolean {
  for (let at = open + 1; run.items[at] !== run.items[open]; at++) {
    const kind = run.kinds[at];
    if (kind === RAW || (kind === OPEN && useAt(run, at).mark.kind === 'link')) return true;
  }
  return false;
}
