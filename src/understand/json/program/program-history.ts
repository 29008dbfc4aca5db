// What is known about the programs of a site and a request: which templates they were written for, which pages they fit, and
// when the next one may be written. Pure: the book (program-book.ts) keeps it.
import type { SelectorProgram, Template, TemplateProgram } from '../../../page/selector-programs.ts';
import type { SelectedValues, SelectorRun } from '../../../page/understanding.ts';
import { hashOf } from '../../../util/hash.ts';
import { likeness } from './template-likeness.ts';

export interface KnownTemplate {
  id: string;
  template: Template;
  /** Absent: none that was written fits. */
  program?: SelectorProgram;
  /** Hashes of the first pages that the program fits. */
  confirmed: number[];
  /** The same of the pages in a row that it does not fit. */
  missed: number[];
  /** By path, the pages in a row that lack what all earlier ones had. */
  empty: Record<string, number[]>;
  /** Paths that only some pages have. */
  optional: string[];
  /** Values that have been the same on all pages so far, and should not be. */
  marks: Record<string, number>;
  /** How often a program was written, with no day between. */
  tries: number;
  triedAt: number;
}

export interface ProgramHistory {
  /** Those that were written last come first. */
  templates: KnownTemplate[];
  /** When programs were written. */
  written: number[];
  /** Somebody is writing a program, and says so again before this time. */
  writingUntil?: number;
}

/** A page, as it is told from others. */
export interface LearntFrom {
  /** Hash of its URL. */
  page: number;
  now: number;
}

export interface Judgement {
  /** `learn`: a program should be written for this page. `look`: one has been written meanwhile. */
  advice: 'use' | 'learn' | 'look';
  /** What was learnt from the page, if anything. */
  changed?: ProgramHistory;
  /** What is wrong with the program although it fits the page, in words for a model. */
  doubts?: { program: SelectorProgram; problems: string[] };
}

export const NO_HISTORY: ProgramHistory = { templates: [], written: [] };

/** Templates that differ less are one. */
const SAME = 0.9;
const MAX_TEMPLATES = 12;
/** A program is on trial until it has fitted so many pages, with the one that it was written on. */
const TRUSTED_PAGES = 4;
/** After so many pages in a row that it does not fit, a program is written anew: on trial, and trusted. */
const MISSES = { onTrial: 2, trusted: 3 };
/** The same for pages that it fits, but for a value that all earlier ones had. */
const EMPTY_PAGES = 5;
const DAY_MS = 86_400_000;
/** Templates are many only on sites that do not keep to them. */
const MAX_WRITTEN_A_DAY = 20;
/** A template may change at any time, but not again and again: from the third program on, each waits longer. */
const FIRST_WAIT_MS = 600_000;
const WAIT_GROWTH = 4;

const isTrusted = ({ confirmed }: KnownTemplate): boolean => confirmed.length >= TRUSTED_PAGES;

function sameTemplate({ templates }: ProgramHistory, template: Template): KnownTemplate | undefined {
  let best: KnownTemplate | undefined;
  let most = SAME;
  for (const known of templates) {
    const like = likeness(known.template, template);
    if (like < SAME || (best && like <= most)) continue;
    best = known;
    most = like;
  }
  return best;
}

/** As they travel with a page. */
export const programsIn = ({ templates }: ProgramHistory): TemplateProgram[] =>
  templates.flatMap((known) => {
    const { id, template, program, optional, missed, empty } = known;
    const isSettled = isTrusted(known) && missed.length === 0 && Object.keys(empty).length === 0;
    return program ? [{ id, template, program, isSettled, optional }] : [];
  });

/** What a page teaches about the programs, and whether one has to be written for it. */
export function judge(history: ProgramHistory, selection: SelectedValues, at: LearntFrom): Judgement {
  const { template, run } = selection;
  if (run?.problems.length === 0) {
    const known = history.templates.find(({ id }) => id === run.id);
    return known ? judgeFit(history, known, run, at) : { advice: 'use' };
  }
  const known = sameTemplate(history, template);
  const mayLearn = isDue(history, known, at.now);
  if (!known?.program) return { advice: mayLearn ? 'learn' : 'use' };
  if (known.id !== run?.id) return { advice: 'look' };
  const missed = withPage(known.missed, at.page);
  const isOver = missed.length >= (isTrusted(known) ? MISSES.trusted : MISSES.onTrial);
  return {
    advice: isOver && mayLearn ? 'learn' : 'use',
    ...(missed !== known.missed && { changed: withTemplate(history, { ...known, missed }) }),
  };
}

/** A page that is read again says nothing new. */
const withPage = (pages: number[], page: number): number[] =>
  pages.includes(page) || pages.length >= EMPTY_PAGES ? pages : [...pages, page];

function judgeFit(history: ProgramHistory, known: KnownTemplate, run: SelectorRun, at: LearntFrom): Judgement {
  const { empty, lost, optional } = judgeEmpty(known, run, at.page);
  const next: KnownTemplate = { ...known, missed: [], empty, optional };
  const doubts = lost.map((path) => `The rule for \`${path}\` selects nothing on the last pages of the template.`);
  if (!isTrusted(known)) {
    next.confirmed = withPage(known.confirmed, at.page);
    if (next.confirmed !== known.confirmed) {
      next.marks = Object.fromEntries(Object.entries(known.marks).filter(([path, mark]) => run.marks[path] === mark));
    }
    if (isTrusted(next)) {
      doubts.push(...Object.keys(next.marks).map((path) => `The rule for \`${path}\` selects the same on every page.`));
      // Asked once: the pages may say the same after all.
      next.marks = {};
    }
  }
  const isNews = JSON.stringify(next) !== JSON.stringify(known);
  const isDoubted = doubts.length > 0 && isDue(history, known, at.now);
  return {
    advice: isDoubted ? 'learn' : 'use',
    ...(isNews && { changed: withTemplate(history, next) }),
    ...(isDoubted && { doubts: { program: known.program!, problems: doubts } }),
  };
}

/** What comes back was merely missing; what stays away is lost, which is said once. */
function judgeEmpty(known: KnownTemplate, run: SelectorRun, page: number) {
  const optional = [...known.optional, ...Object.keys(known.empty).filter((path) => !run.empty.includes(path))];
  const runs = run.empty.map((path) => [path, withPage(known.empty[path] ?? [], page)] as const);
  const lost = runs.filter(([, pages]) => pages.length >= EMPTY_PAGES).map(([path]) => path);
  const empty = Object.fromEntries(runs.filter(([path]) => !lost.includes(path)));
  return { empty, lost, optional: [...optional, ...lost] };
}

const recent = (times: readonly number[], now: number): number[] => times.filter((time) => time > now - DAY_MS);

/** Odd pages must not cost a call each. */
function isDue(history: ProgramHistory, known: KnownTemplate | undefined, now: number): boolean {
  if (recent(history.written, now).length >= MAX_WRITTEN_A_DAY) return false;
  if (!known || known.tries < 2) return true;
  return now - known.triedAt >= Math.min(DAY_MS, FIRST_WAIT_MS * WAIT_GROWTH ** (known.tries - 2));
}

const withTemplate = (history: ProgramHistory, changed: KnownTemplate): ProgramHistory => ({
  ...history,
  templates: history.templates.map((known) => (known.id === changed.id ? changed : known)),
});

export interface WrittenProgram {
  template: Template;
  /** Absent: what was written does not fit the page, and an earlier program stays. */
  program?: SelectorProgram;
  marks: Record<string, number>;
}

export function withWritten(
  history: ProgramHistory,
  written: WrittenProgram,
  { page, now }: LearntFrom,
): ProgramHistory {
  const { template, program, marks } = written;
  const before = sameTemplate(history, template);
  const tries = before && now - before.triedAt < DAY_MS ? before.tries + 1 : 1;
  const fresh = { confirmed: [page], missed: [], empty: {}, optional: [] };
  const next: KnownTemplate = {
    ...(before ?? { ...fresh, marks: {} }),
    ...{ id: hashOf(template, program, now), template, tries, triedAt: now },
    ...(program && { ...fresh, program: withoutSamples(program), marks: before?.program ? {} : marks }),
  };
  return {
    templates: [next, ...history.templates.filter((known) => known !== before)].slice(0, MAX_TEMPLATES),
    written: [...recent(history.written, now), now],
  };
}

/** Text of the page has no use in it any more. */
const withoutSamples = ({ rules, lists }: SelectorProgram): SelectorProgram => ({
  rules: rules.map((rule) => ({ ...rule, sample: '' })),
  lists,
});
