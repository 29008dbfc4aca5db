// Keys, input methods and the clipboard. An invisible field has the focus, because only a field receives pasted text and
// the output of input methods.
import { modifiersOf } from './input.js';

const CONTROL = 2;
const ALT = 1;
const META = 4;
const PIECE = 500;
const MAX_PASTE = 100_000;
const IS_MAC = /^(Mac|iP)/.test(navigator.platform);

export function takeKeyboard(field, { send, say, leave }) {
  let isCopying = false;
  field.hidden = false;

  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || event.key === 'Dead') return;
    if (event.key === 'F6') {
      event.preventDefault();
      return leave();
    }
    const key = keyOf(event);
    const isCommand = key.modifiers === CONTROL;
    // The paste event of this browser brings the text; the session's browser has another clipboard.
    if (isCommand && event.code === 'KeyV') return;
    event.preventDefault();
    if (isCommand && (event.code === 'KeyC' || event.code === 'KeyX')) {
      isCopying = true;
      send({ type: 'copy' });
    }
    send({ ...key, event: 'down' });
  });
  field.addEventListener('keyup', (event) => {
    if (event.isComposing || event.key === 'Dead' || event.key === 'F6') return;
    event.preventDefault();
    const { text, ...key } = keyOf(event);
    send({ ...key, event: 'up' });
  });
  field.addEventListener('compositionend', ({ data }) => {
    write(send, data);
    field.value = '';
  });
  // Phone keyboards send no key events.
  field.addEventListener('input', ({ inputType, isComposing, data }) => {
    if (isComposing || inputType === 'insertCompositionText') return;
    if (inputType === 'deleteContentBackward') pressKey(send, 'Backspace', 8);
    else if (inputType === 'insertLineBreak') pressKey(send, 'Enter', 13, '\r');
    else if (data) write(send, data);
    field.value = '';
  });
  field.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    if (text.length > MAX_PASTE) say('The text is too long to paste.');
    else write(send, text);
  });

  return {
    focus: () => field.focus({ preventScroll: true }),
    async copied(text) {
      if (!isCopying || text === '') return;
      isCopying = false;
      say((await copy(field, text)) ? 'Copied.' : 'Your browser does not let this page copy text.');
    },
  };
}

function keyOf(event) {
  const { key, code, keyCode, location, repeat } = event;
  let modifiers = modifiersOf(event);
  // Some systems report AltGr as Control and Alt; typing a character with it is not a shortcut.
  if (event.getModifierState('AltGraph')) modifiers &= ~(CONTROL | ALT);
  // The session's browser runs on another machine, where shortcuts use Control.
  if (IS_MAC && modifiers & META) modifiers = (modifiers & ~META) | CONTROL;
  const isSign = [...key].length === 1 && !(modifiers & (CONTROL | META)) && (IS_MAC || !(modifiers & ALT));
  const text = key === 'Enter' ? '\r' : isSign ? key : undefined;
  return { type: 'key', key, code, keyCode: Math.min(keyCode, 255), location, repeat, modifiers, text };
}

function pressKey(send, key, keyCode, text) {
  const press = { type: 'key', key, code: key, keyCode, location: 0, repeat: false, modifiers: 0 };
  send({ ...press, event: 'down', text });
  send({ ...press, event: 'up' });
}

/** Splits text into pieces that fit a message, without cutting a character in two. */
function write(send, text) {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    const isWithin = end < text.length && /[\ud800-\udbff]/.test(text[end - 1]);
    const piece = text.slice(at, isWithin ? end - 1 : end);
    send({ type: 'text', text: piece });
    at += piece.length;
  }
}

/** The clipboard API needs a secure context and, in a frame, permission; the old command needs neither. */
async function copy(field, text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.value = text;
    field.select();
    const isDone = document.execCommand('copy');
    field.value = '';
    return isDone;
  }
}
