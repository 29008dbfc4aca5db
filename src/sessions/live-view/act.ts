// What whoever controls a live view does, as the browser's protocol has it.
import type { LiveAction, LiveMessage } from '../../contracts/live-view.ts';
import type { Params } from '../multiplexer/cdp-rules.ts';
import type { CdpClient } from './cdp-client.ts';
import { readHistory, type Screen } from './screen.ts';
import { readSelection } from './selection.ts';

type Do<Type extends LiveAction['type']> = Extract<LiveAction, { type: Type }>;
type Mouse = Do<'mouse'>;
type Key = Do<'key'>;

const MOUSE_EVENTS = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' };
const KEYPAD = 3;

/** Resolves when it is done, with what is to be told to whoever did it. Rejects when the browser refuses. */
export async function act(protocol: CdpClient, screen: Screen, action: LiveAction): Promise<LiveMessage | undefined> {
  const call = (method: string, params?: Params) => protocol.call(method, params, screen.sessionId);
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
      return { type: 'copied', text: await readSelection(protocol, screen) };
    case 'go':
      return go(call, action.address);
    case 'back':
      return step(protocol, screen, -1);
    case 'forward':
      return step(protocol, screen, 1);
    case 'reload':
      await call('Page.reload');
      return;
    case 'close':
      await protocol.call('Target.closeTarget', { targetId: screen.targetId });
      return;
  }
}

/** Undefined for what is not an address of the web. A name alone is taken as people write it. */
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
    return { type: 'notice', text: 'Only addresses that begin with http:// or https:// can be opened.' };
  const { errorText } = await call('Page.navigate', { url });
  // ERR_ABORTED: something else is opened instead, or the address is a download.
  if (typeof errorText !== 'string' || errorText === 'net::ERR_ABORTED') return undefined;
  return { type: 'notice', text: `The page could not be opened (${errorText.replace(/^net::/, '').slice(0, 100)}).` };
}

async function step(protocol: CdpClient, { sessionId }: Screen, by: number): Promise<undefined> {
  const { index, entries } = await readHistory(protocol, sessionId);
  const entry = entries[index + by];
  if (entry) await protocol.call('Page.navigateToHistoryEntry', { entryId: entry.id }, sessionId);
}

function pointOf({ x, y }: { x: number; y: number }, size: Screen['size']): { x: number; y: number } {
  if (!size) throw new Error('There is no picture yet.');
  return { x: x * size.width, y: y * size.height };
}

function mouseEvent({ event, button, buttons, clicks, modifiers, ...place }: Mouse, size: Screen['size']): Params {
  return { type: MOUSE_EVENTS[event], ...pointOf(place, size), button, buttons, clickCount: clicks, modifiers };
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
