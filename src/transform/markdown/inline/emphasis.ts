// Chooses how emphasis is written so that Markdown parsers recognise it. Whether `*` opens or closes depends on its
// context, so the delimiters are parsed back by CommonMark's rules, and marks that cannot be paired become HTML tags.
import { tagSet } from '../../../markup/html/tags.ts';
import {
  BREAK,
  CLOSE,
  delimiterOf,
  firstChar,
  type InlineRun,
  lastChar,
  type MarkUse,
  NOTHING,
  OPEN,
  STARS,
  TAGS,
  UNDERSCORES,
  useAt,
} from './inline-run.ts';

interface Delimiters {
  char: string;
  length: number;
  canOpen: boolean;
  canClose: boolean;
  /** The part that is not paired yet: [start, end). */
  start: number;
  end: number;
  parts: { use: MarkUse; opens: boolean; offset: number; length: number }[];
}

// Each pass rewrites the innermost unpaired mark. After this many passes, the run is written with tags.
const MAX_PASSES = 8;
// How many unpaired openers a closer looks back: bounds the cost of hostile pages.
const MAX_LOOK_BACK = 32;
const SPACE = /^(?:\s|)$/u;
const PUNCTUATION = /[\p{P}$+<=>^`|~]/u;
const SYMBOL = /\p{S}/u;

/** Decides the form of every mark in the run. */
export function chooseForms(run: InlineRun): void {
  alternateNested(run);
  for (let pass = 0; ; pass++) {
    const { unpaired, blocked, marks } = readBack(run);
    if (unpaired.length === 0) return;
    if (pass >= MAX_PASSES) for (const use of marks) use.form = withoutDelimiters(use);
    else if (blocked.length > 0) for (const use of blocked) use.form = withoutDelimiters(use);
    else rewrite(unpaired[unpaired.length - 1]!);
  }
}

function rewrite(use: MarkUse): void {
  use.form = use.form === STARS && use.mark.kind !== 'del' ? UNDERSCORES : withoutDelimiters(use);
}

/** Titles and variables are italic by convention only, which is not worth a tag. */
const withoutDelimiters = ({ mark }: MarkUse): number => ('tag' in mark && isCustom(mark.tag) ? NOTHING : TAGS);
const isCustom = tagSet('cite dfn var');

/** `*a *b* c*` would end at the second star: a mark nested in its own kind uses the other delimiter. */
function alternateNested(run: InlineRun): void {
  const open: MarkUse[] = [];
  for (let at = 0; at < run.kinds.length; at++) {
    if (run.kinds[at] === OPEN) {
      const use = useAt(run, at);
      const outer = open.findLast(({ mark }) => mark.kind === use.mark.kind);
      if (outer?.form === STARS) use.form = UNDERSCORES;
      open.push(use);
    } else if (run.kinds[at] === CLOSE) open.pop();
  }
}

/** Parses the delimiters like a Markdown parser. `blocked` marks cannot work in their context at all. */
function readBack(run: InlineRun): { marks: MarkUse[]; unpaired: MarkUse[]; blocked: MarkUse[] } {
  const opened = new Map<MarkUse, Delimiters>();
  const paired = new Set<MarkUse>();
  const blocked: MarkUse[] = [];
  // Delimiters inside the text of a link pair only with each other.
  let openers: Delimiters[] = [];
  let outside: Delimiters[] = [];
  let before = '';
  for (let at = 0; at < run.kinds.length; at++) {
    const kind = run.kinds[at]!;
    const isMark = kind === OPEN || kind === CLOSE;
    if (isMark && delimiterOf(useAt(run, at)) !== '') {
      const next = nextDelimiters(run, at, before);
      blocked.push(...blockedMarks(next, opened));
      pair(next, openers, paired);
      at += next.parts.length - 1;
    } else if (isMark && useAt(run, at).mark.kind === 'link') {
      if (kind === OPEN) [outside, openers] = [openers, []];
      else openers = outside;
    }
    before = kind === BREAK ? ' ' : lastChar(run, at, before);
  }
  const marks = [...opened.keys()];
  return { marks, unpaired: marks.filter((use) => !paired.has(use)), blocked };
}

/** Records which marks are opened here, and returns those that cannot be closed here. */
function blockedMarks(delimiters: Delimiters, opened: Map<MarkUse, Delimiters>): MarkUse[] {
  const blocked: MarkUse[] = [];
  for (const { use, opens } of delimiters.parts) {
    if (opens) opened.set(use, delimiters);
    else if (!delimiters.canClose || !opened.get(use)!.canOpen) blocked.push(use);
  }
  return blocked;
}

/** The longest run of equal delimiters from this piece on. */
function nextDelimiters(run: InlineRun, from: number, before: string): Delimiters {
  const char = delimiterOf(useAt(run, from))[0]!;
  const parts: Delimiters['parts'] = [];
  let length = 0;
  let at = from;
  for (; run.kinds[at] === OPEN || run.kinds[at] === CLOSE; at++) {
    const use = useAt(run, at);
    const delimiter = delimiterOf(use);
    if (delimiter[0] !== char) break;
    parts.push({ use, opens: run.kinds[at] === OPEN, offset: length, length: delimiter.length });
    length += delimiter.length;
  }
  const after = run.kinds[at] === BREAK ? ' ' : firstChar(run, at);
  const { canOpen, canClose } = flanking(char, before, after);
  return { char, length, canOpen, canClose, start: 0, end: length, parts };
}

/** What the neighbours allow. Parsers disagree on whether symbols such as emoji are punctuation, so both must work. */
function flanking(char: string, before: string, after: string): { canOpen: boolean; canClose: boolean } {
  let canOpen = true;
  let canClose = true;
  for (const symbols of [true, false]) {
    const signBefore = PUNCTUATION.test(before) || (symbols && SYMBOL.test(before));
    const signAfter = PUNCTUATION.test(after) || (symbols && SYMBOL.test(after));
    const left = !SPACE.test(after) && (!signAfter || SPACE.test(before) || signBefore);
    const right = !SPACE.test(before) && (!signBefore || SPACE.test(after) || signAfter);
    canOpen &&= left && (char !== '_' || !right || signBefore);
    canClose &&= right && (char !== '_' || !left || signAfter);
  }
  return { canOpen, canClose };
}

/** Pairs a delimiter run with earlier openers, following "process emphasis" in the CommonMark specification. */
function pair(closer: Delimiters, openers: Delimiters[], paired: Set<MarkUse>): void {
  while (closer.canClose && closer.start < closer.end) {
    const at = openerFor(closer, openers);
    if (at === -1) break;
    const opener = openers[at]!;
    const length = opener.end - opener.start >= 2 && closer.end - closer.start >= 2 ? 2 : 1;
    openers.length = at + 1;
    opener.end -= length;
    const from = opener.parts.find((part) => part.opens && part.offset === opener.end && part.length === length);
    const to = closer.parts.find((part) => !part.opens && part.offset === closer.start && part.length === length);
    if (from && from.use === to?.use) paired.add(from.use);
    closer.start += length;
    if (opener.start === opener.end) openers.pop();
  }
  if (closer.canOpen && closer.start < closer.end) openers.push(closer);
}

function openerFor(closer: Delimiters, openers: Delimiters[]): number {
  for (let at = openers.length - 1; at >= Math.max(0, openers.length - MAX_LOOK_BACK); at--) {
    const opener = openers[at]!;
    if (opener.char !== closer.char) continue;
    // The specification's "rule of three", which keeps `*foo**bar*` in one piece.
    const ambiguous = opener.canClose || closer.canOpen;
    if (ambiguous && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0) continue;
    return at;
  }
  return -1;
}
