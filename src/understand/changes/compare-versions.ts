// Compares a watched page with its last version: by its Markdown, by the data that was extracted from it, or by both.
import { isDeepStrictEqual } from 'node:util';
import { compareTexts, type RestlessLines } from './compare-texts.ts';
import type { ComparedText } from './compared-text.ts';
import { type ChangedValues, diffValues } from './diff-values.ts';
import { judgeByRules } from './rules/judge-by-rules.ts';
import type { Judgment } from './rules/judgment.ts';
import type { UnifiedDiff } from './unified-diff.ts';

/** What of a version is stored for the next comparison. */
export interface WatchedVersion {
  text: ComparedText;
  /** Data that was extracted, and by what: other data is not comparable. */
  data?: { by: string; value: unknown };
  readAt: number;
}

export interface WatchedPage {
  markdown: string;
  data?: WatchedVersion['data'];
  readAt: number;
}

export interface CompareOptions {
  /** Which of the two counts. */
  by: { text: boolean; data: boolean };
  isJudged: boolean;
  /** What somebody watches the page for. */
  goal?: string;
}

export interface VersionComparison {
  /** What the next version is compared with. */
  toKeep: WatchedVersion;
  isSame: boolean;
  /** The first two are present if that part has changed. */
  diff?: UnifiedDiff;
  /** The diff does not show all that has changed. */
  isCut?: true;
  values?: ChangedValues;
  /** If lines that move at every look did not count. */
  restless?: RestlessLines;
  /** What is known of such lines is no longer what the earlier version says. */
  hasLearnt?: boolean;
  /** The judgment of the rules, if the page has changed. */
  judgment?: Judgment;
}

/** Larger data is not stored, and then there is nothing to compare the next with. */
const MAX_DATA_CHARACTERS = 262_144;

export function compareVersions(
  earlier: WatchedVersion | undefined,
  { markdown, data, readAt }: WatchedPage,
  { by, isJudged, goal }: CompareOptions,
): VersionComparison {
  const compared = compareTexts(earlier?.text, markdown, { wantsDiff: by.text, restless: { goal } });
  const { toKeep: text, isSame: isSameText, diff, isCut, restless } = compared;
  const toKeep: WatchedVersion = { text, ...(data && isSmall(data) && { data }), readAt };
  if (!earlier) return { toKeep, isSame: false };
  const before = earlier.data?.by === data?.by ? earlier.data : undefined;
  const values = by.data && before && data ? diffValues(before.value, data.value) : {};
  const hasOtherText = by.text && !isSameText;
  const hasOtherData = Object.keys(values).length > 0;
  const found = { toKeep, ...(by.text && restless && { restless }) };
  const hasLearnt = !isDeepStrictEqual(earlier.text.moving, text.moving);
  if (!hasOtherText && !hasOtherData) return { ...found, isSame: true, hasLearnt };
  return {
    ...found,
    isSame: false,
    ...(hasOtherText && diff && { diff, ...(isCut && { isCut }) }),
    ...(hasOtherData && { values }),
    ...(isJudged && {
      judgment: judgeByRules({
        ...(hasOtherText && { markdown: { before: restless?.before ?? earlier.text.markdown, after: text.markdown } }),
        ...(hasOtherData && { json: { before: before!.value, after: data!.value } }),
        ...(goal !== undefined && { goal }),
        readAt: { before: earlier.readAt, after: readAt },
      }),
    }),
  };
}

const isSmall = (data: object): boolean => JSON.stringify(data).length <= MAX_DATA_CHARACTERS;
