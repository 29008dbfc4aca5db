// Typing: text goes to the focused element, keys go to the page.
import { ActionFailure, onSteadyPage, quote, type Step } from './step.ts';

const DELAY_MS = 15;
/** Limit for the delays of one text together: long texts are typed faster. */
const MAX_DELAY_MS = 3_000;

interface PageElement {
  isContentEditable?: boolean;
}
declare const document: {
  activeElement: PageElement | null;
  body: PageElement | null;
  documentElement: PageElement | null;
  designMode: string;
};

/** Runs in the page. If nothing has the focus, the body is the active element. */
function hasFocus(): boolean {
  const { activeElement: active, body, documentElement } = document;
  if (document.designMode === 'on') return true;
  if (!active) return false;
  return (active !== body && active !== documentElement) || active.isContentEditable === true;
}

export async function write(step: Step, text: string): Promise<void> {
  if (!(await onSteadyPage(step, () => step.page.evaluate(hasFocus)))) {
    throw new ActionFailure('nothing has the focus. Send a `click` on the field first.');
  }
  const delay = Math.min(DELAY_MS, MAX_DELAY_MS / Math.max(1, text.length));
  await step.page.keyboard.type(text, { delay });
}

const KEYS = [
  ...['Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Space', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
  ...['PageUp', 'PageDown', 'Home', 'End', 'Insert', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'ContextMenu'],
];
const KEY_ALIASES: Record<string, string> = {
  ...Object.fromEntries(KEYS.map((key) => [key.toLowerCase(), key])),
  ...{ return: 'Enter', esc: 'Escape', del: 'Delete', ctrl: 'Control', cmd: 'Meta', command: 'Meta', option: 'Alt' },
  ...{ up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' },
};
const SHOWN_KEYS = 10;

export async function press(step: Step, key: string): Promise<void> {
  try {
    await step.page.keyboard.press(canonicalKey(key));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Unknown key')) throw error;
    throw new ActionFailure(
      `there is no key ${quote(key)}. Keys are single characters and names such as ${KEYS.slice(0, SHOWN_KEYS).join(', ')}, F1 to F12, and combinations such as Control+A.`,
      { cause: error },
    );
  }
}

/** Key names are accepted in any case. Single characters are kept: `a` and `A` are different keys. */
const canonicalKey = (key: string): string =>
  key
    .split('+')
    .map((name) => (Object.hasOwn(KEY_ALIASES, name.toLowerCase()) ? KEY_ALIASES[name.toLowerCase()] : name))
    .join('+');
