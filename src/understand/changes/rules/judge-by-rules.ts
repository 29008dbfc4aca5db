// Judges without a language model whether the changes of a page matter. What changes by itself is noise: ages and time stamps,
// counters, identifiers, advertisements, recommendations, the order of lists, formatting. Everything else counts, because
// a change that nobody is told about is worse than one too many.
import { linesOf } from '../compared-text.ts';
import { explainChange } from './explain-change.ts';
import { foldText } from './fold-text.ts';
import { judgeValues } from './judge-values.ts';
import type { ChangeExplanation, ExplainedChange, Judgment, ReadTimes } from './judgment.ts';
import { type KeyedLine, type LineChange, matchLines } from './lines/match-lines.ts';
import { pageLines } from './lines/page-lines.ts';
import { maskVolatile } from './mask-volatile.ts';
import { type Goal, readGoal } from './read-goal.ts';

export interface JudgedVersions {
  markdown?: { before: string; after: string };
  /** Data that was extracted from the page. */
  json?: { before: unknown; after: unknown };
  goal?: string;
  /** When the two versions were read. */
  readAt?: ReadTimes;
}

const MAX_CHANGES = 50;
const MAX_TEXT = 1_000;

/** Together they take a few seconds of processor time at most. */
const MAX_CHARACTERS = 1_000_000;
const MAX_LINES = 20_000;
const TOO_LONG: Judgment = {
  meaningful: true,
  confidence: 'low',
  reason: 'The page is too long to be judged by rules.',
  meaningfulChanges: [],
};

const isTooLong = (text: string): boolean => text.length > MAX_CHARACTERS || linesOf(text).length > MAX_LINES;

export function judgeByRules({ markdown, json, goal: goalText, readAt }: JudgedVersions): Judgment {
  if (markdown && [markdown.before, markdown.after].some(isTooLong)) return TOO_LONG;
  const goal = readGoal(goalText);
  const changes = [
    ...(markdown ? explainLines(markdown, goal, readAt) : []),
    ...(json ? judgeValues(json.before, json.after, goal) : []),
  ];
  return judgmentOf(changes);
}

function explainLines(
  { before, after }: { before: string; after: string },
  goal: Goal,
  readAt: ReadTimes | undefined,
): ExplainedChange[] {
  const keyed = (markdown: string): KeyedLine[] =>
    pageLines(markdown, goal).map((line) => {
      const words = foldText(maskVolatile(line.text, { ...line, goal }));
      return { ...line, words, key: line.targets === '' ? words : `${words} \u2192${line.targets}` };
    });
  return matchLines(keyed(before), keyed(after)).map((change: LineChange) => ({
    ...explainChange(change, goal, readAt),
    ...(change.before && { before: change.before.source.trim() }),
    ...(change.after && { after: change.after.source.trim() }),
  }));
}

function judgmentOf(changes: readonly ExplainedChange[]): Judgment {
  const meaningful = changes.filter(({ isNoise }) => !isNoise);
  const shown = meaningful.length > 0 ? meaningful : changes;
  return {
    meaningful: meaningful.length > 0,
    confidence: confidenceOf(shown, meaningful.length > 0),
    reason: `${reasonOf(shown, meaningful.length)} Judged by rules, without a language model.`,
    meaningfulChanges: meaningful.slice(0, MAX_CHANGES).map(({ before, after, reason }) => ({
      type: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      before: before === undefined ? null : cut(before),
      after: after === undefined ? null : cut(after),
      reason,
    })),
  };
}

const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')}…`;

/** One sure change is enough to be sure that something has changed; noise is as sure as the least sure rule. */
function confidenceOf(changes: readonly ChangeExplanation[], isMeaningful: boolean): Judgment['confidence'] {
  const given = new Set(changes.map(({ confidence }) => confidence));
  const order = isMeaningful ? (['high', 'medium', 'low'] as const) : (['low', 'medium', 'high'] as const);
  return order.find((one) => given.has(one)) ?? 'high';
}

function reasonOf(changes: readonly ChangeExplanation[], meaningful: number): string {
  if (changes.length === 0)
    return 'Only volatile parts have changed: time stamps, counters, identifiers, order or formatting.';
  const reasons = [...new Set(changes.map(({ reason }) => reason))];
  const first = reasons.slice(0, 3).join(' ');
  return meaningful > 0 ? first : `Nothing of substance has changed. ${first}`;
}
