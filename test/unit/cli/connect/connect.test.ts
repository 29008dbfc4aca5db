// Which key a command sends to the service that it names.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect } from '../../../../src/cli/connect/connect.ts';
import type { LocalTools } from '../../../../src/cli/local-tools.ts';

test('a key that was set for one address is not sent to another, nor to where that one redirects', async (t) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(301, { location: 'https://elsewhere.example/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (client: { url?: string }, flags: { url?: string; key?: string }) => {
    const settings = { url: undefined, key: 'fc-set', configFolder: undefined, isDebug: false, ...client };
    const local = { client: settings } as unknown as LocalTools;
    const session = await connect({ flags, local, screen: { note() {} }, origin: 'cli' });
    await assert.rejects(session.api.call('queueStatus'), /redirect to https:\/\/elsewhere\.example\//);
    await session.close();
  };
  await ask({ url }, {});
  await ask({}, { url });
  await ask({ url: 'https://other.example' }, { url });
  await ask({ url: 'https://other.example' }, { url, key: 'fc-typed' });
  assert.deepEqual(seen, ['Bearer fc-set', 'Bearer fc-set', undefined, 'Bearer fc-typed']);
});
