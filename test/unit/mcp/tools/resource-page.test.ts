// A resource that is read by firecrawl_scrape: following its URIs reaches the end, however much longer it is as JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../../../src/client/api-client.ts';
import { resourcePage } from '../../../../src/mcp/tools/page/scrape.ts';

const MAX = 4_000;

test('a result that is all quotes is read to its end', async () => {
  const state = { success: true, status: 'completed', data: Array.from({ length: 3_000 }, () => 'a') };
  const api = createApiClient({
    origin: 'mcp',
    async send() {
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(state));
      })();
      return { status: 200, headers: {}, body };
    },
  });
  const context = { api, signal: new AbortController().signal, maxAnswer: MAX, maxWaitMs: 0, report: () => {} };
  let text = '';
  for (let uri: string | undefined = 'trawl://agent/run'; uri !== undefined; ) {
    const { structured } = await resourcePage(uri, context);
    assert.ok(JSON.stringify(structured).length <= MAX);
    assert.equal(structured.warning, undefined, 'nothing was cut off');
    const [part, note] = String(structured.markdown).split('\n\n[Characters ');
    text += part;
    uri = note && /resource (\S+)\]$/.exec(note)?.[1];
  }
  assert.deepEqual(JSON.parse(text), state);
});
