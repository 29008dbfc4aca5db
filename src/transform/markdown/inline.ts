// One run of inline content: white space collapses as in a browser, marks wrap their text without its outer spaces,
// empty marks vanish. Marks that are open at a block boundary close there and open again after it.
import { escapeLineStart, escapeText, fenceFor, linkTarget, linkTitle } from './escape.ts';

export type Mark =
  | { kind: 'strong' | 'em' | 'del' | 'code' | 'sup' | 'sub' }
  | { kind: 'link'; url: string; title: string };

export interface Inline {
  text(text: string): void;
  /** Finished Markdown, such as an image. */
  raw(markdown: string): void;
  /** A place where the next text does not touch the one before. */
  space(): void;
  /** False when a line break is waiting already: two of them are a new paragraph. */
  lineBreak(): boolean;
  open(mark: Mark): void;
  close(): void;
  /** The run so far; the builder starts anew with the same marks open. Text for a block of its own must not look like another. */
  take(asBlock: boolean): string;
}

interface Frame {
  /** Undefined for the run itself. */
  mark: Mark | undefined;
  out: string;
  /** The end of `out` that what follows may still change: a space, a closing sign, an exclamation mark. */
  tail: string;
}

const SIGN: Partial<Record<Mark['kind'], string>> = { strong: '**', em: '*', del: '~~' };
const UNTIDY = /[\t\n\f\r\u00a0\u00ad\u200b\u2060\ufeff]| {2}/;
// Soft hyphens and zero-width spaces only tell a layout engine where it may break; joiners carry meaning and stay.
const WITHOUT_WIDTH = /[\u00ad\u200b\u2060\ufeff]/g;

const frameFor = (mark: Mark | undefined): Frame => ({ mark, out: '', tail: '' });

export function createInline(breakSign: string): Inline {
  let frames: Frame[] = [frameFor(undefined)];
  // For each open mark, whether it has a frame: inside an equal mark, or inside code, it adds nothing.
  const framed: boolean[] = [];
  const active = new Set<Mark['kind']>();
  let afterSpace = true;
  let breakWaits = false;
  let hasContent = false;

  const top = () => frames[frames.length - 1]!;

  const put = (markdown: string) => {
    const frame = top();
    if (breakWaits) frame.tail = frame.tail.trimEnd() + breakSign;
    breakWaits = false;
    hasContent = true;
    frame.out += frame.tail + markdown;
    frame.tail = '';
  };

  const closeTop = () => {
    const { mark, out, tail } = frames.pop()!;
    const outer = top();
    if (mark === undefined) return;
    active.delete(mark.kind);
    const core = (out + tail).trim();
    if (core === '') {
      outer.tail += out + tail;
      return;
    }
    const lead = out.slice(0, out.length - out.trimStart().length);
    const trail = tail.slice(tail.trimEnd().length);
    const sign = SIGN[mark.kind] ?? '';
    // Two equal marks side by side are one: `**a****b**` would be neither.
    const joins = sign !== '' && lead === '' && outer.tail === sign;
    // An exclamation mark right before a link would make it an image.
    if (mark.kind === 'link' && lead === '' && outer.tail === '!') outer.tail = '\\!';
    outer.out += joins ? core : outer.tail + lead + (sign === '' ? wrap(mark, core) : sign + core);
    outer.tail = sign + trail;
  };

  const openFrame = (mark: Mark) => {
    frames.push(frameFor(mark));
    active.add(mark.kind);
  };

  return {
    text(text) {
      let clean = UNTIDY.test(text) ? text.replace(WITHOUT_WIDTH, '').replace(/[ \t\n\f\r\u00a0]+/g, ' ') : text;
      if (afterSpace && clean.startsWith(' ')) clean = clean.slice(1);
      if (clean === '') return;
      const escaped = active.has('code') ? clean : escapeText(clean, active.has('link'));
      const tail = /!? ?$/.exec(escaped)![0];
      put(escaped.slice(0, escaped.length - tail.length));
      top().tail = tail;
      afterSpace = clean.endsWith(' ');
    },
    raw(markdown) {
      put(markdown);
      afterSpace = false;
    },
    space() {
      if (!afterSpace) top().tail += ' ';
      afterSpace = true;
    },
    lineBreak() {
      if (breakWaits) return false;
      breakWaits = hasContent;
      afterSpace = true;
      return true;
    },
    open(mark) {
      const adds = !active.has(mark.kind) && !active.has('code');
      framed.push(adds);
      if (adds) openFrame(mark);
    },
    close() {
      if (framed.pop()) closeTop();
    },
    take(asBlock) {
      const marks = frames.slice(1).map((frame) => frame.mark);
      while (frames.length > 1) closeTop();
      const run = (top().out + top().tail).trim();
      frames = [frameFor(undefined)];
      for (const mark of marks) if (mark) openFrame(mark);
      afterSpace = true;
      breakWaits = false;
      hasContent = false;
      if (!asBlock) return run;
      return run
        .split('\n')
        .map((line) => escapeLineStart(line.trimStart()))
        .join('\n');
    },
  };
}

function wrap(mark: Mark, core: string): string {
  switch (mark.kind) {
    case 'link': {
      const title = mark.title !== '' && !core.includes(mark.title) ? ` ${linkTitle(mark.title)}` : '';
      return `[${core}](${linkTarget(mark.url)}${title})`;
    }
    case 'code': {
      const fence = fenceFor(core, 1);
      const pad = core.startsWith('`') || core.endsWith('`') ? ' ' : '';
      return fence + pad + core + pad + fence;
    }
    default:
      // Markdown has no sign for raised text; around a link or an image the tag would only be noise.
      return core.includes('](') ? core : `<${mark.kind}>${core}</${mark.kind}>`;
  }
}
