// The verdict: is this the requested page, or something else in its place?

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { Verdict } from '../../page/page.ts';
import { challengeHeaderReason, challengeReason } from './challenge.ts';
import { emptyShellReason, isThin } from './empty-shell.ts';
import type { Evidence, JudgedPage } from './evidence.ts';
import { loginWallReason } from './login-wall.ts';
import { readSignals } from './page-signals.ts';
import { NO_STRUCTURE, readStructure } from './page-structure.ts';
import { parkedReason } from './parked.ts';
import { soft404Reason } from './soft-404.ts';
import { loadMarks } from './vendor-marks.ts';

export type Judge = (tree: HtmlTree, page: JudgedPage) => Verdict;

const CONTENT: Verdict = { kind: 'content', reason: '' };
const THIN: Verdict = { ...CONTENT, isThin: true };

// Pages of vendors and empty shells have fewer links.
const MAX_LINKS = 60;

// The first rule that applies wins. Challenges and parked domains have unmistakable marks. Login and error pages may
// also look like an empty shell, so that rule comes last.
const RULES: [kind: Verdict['kind'], reasonFor: (evidence: Evidence) => string | undefined][] = [
  ['challenge', challengeReason],
  ['parked', parkedReason],
  ['soft-404', soft404Reason],
  ['login-wall', loginWallReason],
  ['empty-shell', emptyShellReason],
];

/** Loads the marks once; the judge itself reads no file. */
export function createJudge(): Judge {
  const marks = loadMarks();
  return (tree, page) => {
    const headerLines = linesOf(page.headers);
    const byHeader = challengeHeaderReason(headerLines, marks.challengers);
    if (byHeader) return { kind: 'challenge', reason: byHeader };

    const signals = readSignals(tree);
    if (signals.long) return CONTENT;
    const structure = signals.links <= MAX_LINKS ? readStructure(tree, marks) : NO_STRUCTURE;
    const evidence: Evidence = { page, headerLines, signals, structure, marks };
    for (const [kind, reasonFor] of RULES) {
      const reason = reasonFor(evidence);
      if (reason) return { kind, reason };
    }
    return isThin(evidence) ? THIN : CONTENT;
  };
}

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`.toLowerCase())
    .join('\n');
