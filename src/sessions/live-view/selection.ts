// Reads the selected text of a page, in an isolated world that the page's scripts cannot manipulate.
import type { CdpClient } from './cdp-client.ts';
import type { Screen } from './screen.ts';

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

/** Empty if nothing is selected. */
export async function readSelection(client: CdpClient, { targetId, sessionId }: Screen): Promise<string> {
  // The main frame of a page has the same id as the page.
  const world = { frameId: targetId, worldName: WORLD };
  const { executionContextId } = await client.call('Page.createIsolatedWorld', world, sessionId);
  const evaluation = { expression: EXPRESSION, contextId: executionContextId, returnByValue: true, timeout: READ_MS };
  const { result } = await client.call('Runtime.evaluate', evaluation, sessionId);
  const { value } = result as { value?: unknown };
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}
