// What other programs send after they have been set up as the manual and the console say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { DIALECTS, type DialectName, type DialectPlace } from '../../src/contracts/dialects/dialect-names.ts';
import { sendRaw } from '../support/raw-request.ts';
import { useService } from '../support/use-service.ts';
import { page, send } from '../support/web/reply.ts';

interface Program {
  name: string;
  dialect: DialectName;
  block: string;
  request: { method: string; path: string; headers?: Record<string, string>; body?: string };
}

const BASE = 'http://127.0.0.1:3002';
const PAGE = '<p>The lantern of the old lighthouse is lit at dusk, and a keeper looks after its flame all night.</p>';
const scene = useService({}, undefined, {
  'lighthouse.test': { '/': (exchange) => send(exchange, page('The lantern', PAGE)) },
});
before(async () => {
  await scene.service.scrape({ url: scene.web.url('lighthouse.test', '/') });
});
const programs = JSON.parse(readFileSync(join(import.meta.dirname, '../../data/programs.json'), 'utf8')) as Program[];

/** `Basic name:KEY` is encoded as its client does it. */
const filled = (text: string) => {
  const whole = text.replaceAll('KEY', scene.service.key);
  return whole.replace(/^Basic (.+)$/, (_, pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`);
};

for (const { name, dialect, block, request } of programs) {
  test(`${name} asks the address in its block, and is answered`, async () => {
    const { method, path, headers = {}, body } = request;
    const addresses = [...block.matchAll(/http:\/\/[^\s"]+/g)].map(([address]) => address);
    assert.ok(
      addresses.some((address) => `${BASE}${path}`.startsWith(address)),
      `${path} is at none of ${addresses}`,
    );
    const { prefix, also = [] }: DialectPlace = DIALECTS[dialect];
    assert.ok([prefix, ...also].some((place) => path.startsWith(place)));
    const sent = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, filled(value)]));
    const url = scene.web.url('lighthouse.test', '/');
    const answer = await sendRaw(scene.service.url, filled(path).replace('https://example.com', url), {
      ...{ method, headers: sent },
      ...(body !== undefined && { body: filled(body).replace('https://example.com', url) }),
    });
    assert.equal(answer.status, 200, answer.text);
  });
}
