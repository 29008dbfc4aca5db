// `trawl doctor --network` asks the search providers of the settings, and says which of them do not answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { askProviders } from '../../../../../src/compose/commands/doctor/ask-providers.ts';
import { readConfig } from '../../../../../src/config/settings.ts';

const ANSWER = readFileSync('test/providers/searxng/full.json');

test('every search provider is asked once, and each gets a line', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader('content-type', 'application/json');
    // The second provider refuses the key.
    if (request.url!.startsWith('/v2/')) response.writeHead(401).end('{"success":false,"error":"Unauthorized"}');
    else response.end(ANSWER);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = readConfig({
    TRAWL_SEARCH_PROVIDERS: 'index,searxng,v2',
    TRAWL_SEARXNG_URL: url,
    TRAWL_V2_URL: url,
    TRAWL_V2_API_KEY: 'wrong',
  });
  const findings = await askProviders(config);
  assert.deepEqual(
    findings.map(({ check, state }) => [check, state]),
    [
      ['provider searxng', 'ok'],
      ['provider v2', 'warn'],
    ],
  );
  assert.match(findings[0]!.text, /answered in \d+ ms, with results$/);
  assert.match(findings[1]!.text, /did not answer: .*key/);
  assert.equal(asked.length, 2);
});
