// What is selected in a page, read where the page's own scripts cannot interfere.
import type { CdpClient } from './cdp-client.ts';
import type { Screen } from './screen.ts';

const MAX_TEXT = 200_000;
const WORLD = 'trawl-live-view';
const READ_MS = 2_000;

/** Into shadow trees and frames of the same origin, to where the cursor is. Passwords cannot be copied in a browser either. */
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

/** Empty where nothing is. */
export async function readSelection(protocol: CdpClient, { targetId, sessionId }: Screen): Promise<string> {
  // The first frame of a page has the page's own id.
  const world = { frameId: targetId, worldName: WORLD };
  const { executionContextId } = await protocol.call('Page.createIsolatedWorld', world, sessionId);
  const evaluation = { expression: EXPRESSION, contextId: executionContextId, returnByValue: true, timeout: READ_MS };
  const { result } = await protocol.call('Runtime.evaluate', evaluation, sessionId);
  const { value } = result as { value?: unknown };
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}
