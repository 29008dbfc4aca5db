// Translates the actions of a viewer with control into calls of the DevTools protocol.
import type { LiveAction, LiveMessage } from '../../contracts/browser/live-view.ts';
import { CdpError, type Params } from '../cdp.ts';
import type { CdpClient } from './cdp-client.ts';
import { readHistory, type Screencast } from './screen.ts';

type Mouse = Extract<LiveAction, { type: 'mouse' }>;
type Key = Extract<LiveAction, { type: 'key' }>;

const MOUSE_EVENTS = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' };
const KEYPAD = 3;

/** Resolves with the reply for the viewer, if any. Rejects if the browser refuses. */
export async function act(client: CdpClient, screen: Screencast, action: LiveAction): Promise<LiveMessage | undefined> {
  const call = (method: string, params?: Params) => client.call(method, params, screen.sessionId);
  switch (action.type) {
    case 'mouse':
      await call('Input.dispatchMouseEvent', mouseEvent(action, screen.size));
      return;
    case 'wheel': {
      const { deltaX, deltaY, modifiers } = action;
      await call('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        ...pointOf(action, screen.size),
        deltaX,
        deltaY,
        modifiers,
      });
      return;
    }
    case 'key':
      await call('Input.dispatchKeyEvent', keyEvent(action));
      return;
    case 'text':
      await call('Input.insertText', { text: action.text });
      return;
    case 'copy':
      return { type: 'copied', text: await readSelection(client, screen) };
    case 'go':
      return go(call, action.address);
    case 'back':
      return step(client, screen, -1);
    case 'forward':
      return step(client, screen, 1);
    case 'reload':
      await call('Page.reload');
      return;
    case 'close':
      await client.call('Target.closeTarget', { targetId: screen.targetId });
      return;
  }
}

/** Undefined for anything but http and https. The scheme may be omitted. */
export function addressOf(text: string): string | undefined {
  const written = text.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(written);
  const url = URL.parse(hasScheme ? written : `https://${written}`);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

async function go(
  call: (method: string, params: Params) => Promise<Params>,
  text: string,
): Promise<LiveMessage | undefined> {
  const url = addressOf(text);
  if (url === undefined)
    return { type: 'notice', text: 'Only addresses that start with http:// or https:// can be opened.' };
  const { errorText } = await call('Page.navigate', { url });
  // ERR_ABORTED: another navigation took over, or the address is a download.
  if (typeof errorText !== 'string' || errorText === 'net::ERR_ABORTED') return undefined;
  return { type: 'notice', text: `The page could not be opened (${errorText.replace(/^net::/, '').slice(0, 100)}).` };
}

async function step(client: CdpClient, { sessionId }: Screencast, by: number): Promise<undefined> {
  const { index, entries } = await readHistory(client, sessionId);
  const entry = entries[index + by];
  if (entry) await client.call('Page.navigateToHistoryEntry', { entryId: entry.id }, sessionId);
}

function pointOf({ x, y }: { x: number; y: number }, size: Screencast['size']): { x: number; y: number } {
  if (!size) throw new CdpError('No frame has been received yet.');
  return { x: x * size.width, y: y * size.height };
}

function mouseEvent({ event, button, buttons, clicks, modifiers, ...point }: Mouse, size: Screencast['size']): Params {
  return { type: MOUSE_EVENTS[event], ...pointOf(point, size), button, buttons, clickCount: clicks, modifiers };
}

function keyEvent({ event, key, code, keyCode, location, repeat, modifiers, text }: Key): Params {
  const written = event === 'down' && text ? { text, unmodifiedText: text } : {};
  return {
    type: event === 'up' ? 'keyUp' : text ? 'keyDown' : 'rawKeyDown',
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    location,
    isKeypad: location === KEYPAD,
    autoRepeat: repeat,
    modifiers,
    ...written,
  };
}

const MAX_TEXT = 200_000;
const WORLD = 'trawl-live-view';
const READ_MS = 2_000;

/** Descends into shadow trees and same-origin frames to the focused element. Passwords cannot be copied. */
const EXPRESSION = `(() => {
  let root = document;
  let active = root.activeElement;
  for (let depth = 0; depth < 50 && active; depth += 1) {
    const inner = active.shadowRoot ?? active.contentDocument;
    if (!inner) break;
    if (active.contentDocument) root = inner;
    active = inner.activeElement;
  }
  const isField = active?.localName === 'textarea' || (active?.localName === 'input' && active.type !== 'password');
  const text = isField
    ? active.value.slice(active.selectionStart ?? 0, active.selectionEnd ?? 0)
    : String(root.getSelection() ?? '');
  return text.slice(0, ${MAX_TEXT});
})()`;

/** Read in an isolated world, which the page's scripts cannot manipulate. Empty if nothing is selected. */
async function readSelection(client: CdpClient, { targetId, sessionId }: Screencast): Promise<string> {
  // The main frame of a page has the same id as the page.
  const world = { frameId: targetId, worldName: WORLD };
  const { executionContextId } = await client.call('Page.createIsolatedWorld', world, sessionId);
  const evaluation = { expression: EXPRESSION, contextId: executionContextId, returnByValue: true, timeout: READ_MS };
  const { result } = await client.call('Runtime.evaluate', evaluation, sessionId);
  const { value } = result as { value?: unknown };
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}
