// Programs that are too large to be started: the requests that they send, from data/programs.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../test/support/program.ts';
import { sendRaw } from '../../../test/support/raw-request.ts';
import { type Case, type Client, expect, type Scene } from '../client.ts';

interface Program {
  name: string;
  request: { method: string; path: string; headers?: Record<string, string>; body?: string };
}

export const programRequests: Client = {
  name: 'other programs, requests',
  version: 'recorded',
  open: async (scene) => ({ cases: programs().map((program) => caseOf(program, scene)) }),
};

const programs = () => JSON.parse(readFileSync(join(ROOT, 'data/programs.json'), 'utf8')) as Program[];

const caseOf = ({ name, request }: Program, { service, web }: Scene): Case => ({
  name,
  async run() {
    const { method, path, headers = {}, body } = request;
    const filled = (text: string) =>
      text.replaceAll('KEY', service.key).replace('https://example.com', web.url('news.test'));
    const encoded = (value: string) =>
      value.replace(/^Basic (.+)$/, (_, pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`);
    const answer = await sendRaw(service.url, filled(path), {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, encoded(filled(value))])),
      ...(body !== undefined && { body: filled(body) }),
    });
    expect(answer.status === 200, 'status 200', answer.text);
  },
});
