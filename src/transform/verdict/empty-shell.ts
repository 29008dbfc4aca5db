// Pages with nothing to read until JavaScript has run.
import { type Evidence, totalWords } from './evidence.ts';
import { saysAny } from './words.ts';

// "Loading..." or a brand name may stand in the element that the application will fill.
const ROOT_WORDS = 12;
const AROUND_ROOT_WORDS = 80;
const ASKED_WORDS = 40;
const SCRIPTED_WORDS = 5;

const REASON = 'The page is empty until JavaScript fills it; it needs a browser engine to show its content.';

export function emptyShellReason(evidence: Evidence): string | undefined {
  // The status of an error says enough.
  if (evidence.page.status >= 400) return undefined;
  return hasEmptyRoot(evidence) || asksForScript(evidence) || hasOnlyScripts(evidence) ? REASON : undefined;
}

function hasEmptyRoot(evidence: Evidence): boolean {
  const { rootWords, activeScripts } = evidence.structure;
  return (
    rootWords !== undefined &&
    rootWords <= ROOT_WORDS &&
    activeScripts > 0 &&
    totalWords(evidence) - rootWords <= AROUND_ROOT_WORDS
  );
}

/** The request may stand in noscript or in plain sight, where a script would replace it. */
function asksForScript(evidence: Evidence): boolean {
  const { signals, structure, marks } = evidence;
  if (structure.activeScripts === 0 || totalWords(evidence) > ASKED_WORDS) return false;
  return saysAny(`${signals.noscript} ${signals.text}`, marks.phrases.needsScript);
}

function hasOnlyScripts(evidence: Evidence): boolean {
  const { signals, structure } = evidence;
  return (
    structure.activeScripts > 0 && totalWords(evidence) <= SCRIPTED_WORDS && signals.images <= 1 && signals.embeds === 0
  );
}
