// Code that is run in a browser session of a service.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Answer } from './service.ts';
import type { Scene } from './use-service.ts';

export interface Executed {
  success: boolean;
  code?: string;
  error?: string;
  sessionId?: string;
  stdout: string;
  result: string;
  stderr: string;
  exitCode: number;
  killed: boolean;
  cdpUrl: string;
  liveViewUrl: string;
}

/** Opens a session before the first test, in which code runs unless another one is named. */
export function useSession(scene: Scene) {
  let session: string;

  const open = async () => (await scene.service.post<{ id: string }>('/v2/browser', {})).body.id;
  const execute = (code: string, more: object = {}, id = session): Promise<Answer<Executed>> =>
    scene.service.post(`/v2/browser/${id}/execute`, { code, timeout: 60, ...more });
  const resultOf = async (code: string, more?: object) => {
    const { body } = await execute(code, more);
    assert.equal(body.exitCode, 0, JSON.stringify(body));
    return body.result;
  };
  const close = (id: string) => scene.service.fetch(`/v2/browser/${id}`, { method: 'DELETE' });

  before(async () => {
    session = await open();
  });
  return { open, execute, resultOf, close, session: () => session };
}
