// Pages without readable content until JavaScript has run.
import { type Evidence, totalWords } from './evidence.ts';
import { saysAny } from './page-phrases.ts';

// The root element of an application may contain "Loading..." or a brand name.
const ROOT_WORDS = 12;
const AROUND_ROOT_WORDS = 80;
const ASKED_WORDS = 40;
const SCRIPTED_WORDS = 5;
const SHELL_IMAGES = 2;
const SHELL_EMBEDS = 1;

const REASON = 'The page is empty until JavaScript fills it; it needs a browser engine to show its content.';

const THIN_WORDS = 30;

/** Not a recognised shell, but so short that scripts may add the content. */
export const isThin = (evidence: Evidence): boolean =>
  evidence.page.status < 400 &&
  isBare(evidence) &&
  evidence.signals.textFields === 0 &&
  totalWords(evidence) <= THIN_WORDS;

export function emptyShellReason(evidence: Evidence): string | undefined {
  // Error pages are judged by their status.
  if (evidence.page.status >= 400 || !isBare(evidence)) return undefined;
  return hasEmptyRoot(evidence) || asksForScript(evidence) || hasOnlyScripts(evidence) ? REASON : undefined;
}

/** A logo and a tracking frame are not content; a gallery without words is. */
const isBare = ({ signals, structure }: Evidence) =>
  structure.activeScripts > 0 && signals.images <= SHELL_IMAGES && signals.embeds <= SHELL_EMBEDS;

function hasEmptyRoot(evidence: Evidence): boolean {
  const { rootWords } = evidence.structure;
  return rootWords !== undefined && rootWords <= ROOT_WORDS && totalWords(evidence) - rootWords <= AROUND_ROOT_WORDS;
}

/** The request may be in <noscript>, or visible until a script replaces it. */
function asksForScript(evidence: Evidence): boolean {
  const { signals, marks } = evidence;
  return (
    totalWords(evidence) <= ASKED_WORDS && saysAny(`${signals.noscript} ${signals.text}`, marks.phrases.needsScript)
  );
}

const hasOnlyScripts = (evidence: Evidence) => totalWords(evidence) <= SCRIPTED_WORDS && evidence.signals.embeds === 0;
