// Code that is run in a browser session of a shared service.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Answer } from '../service.ts';
import { type Scene, useService } from '../use-service.ts';
import { BROWSER_SETTINGS } from './browser.ts';

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

interface Execution extends Scene {
  /** Open for the whole file. */
  session: string;
  open(): Promise<string>;
  close(id: string): Promise<Response>;
  execute(code: string, more?: object, id?: string): Promise<Answer<Executed>>;
  /** Of code that must succeed. */
  resultOf(code: string, more?: object): Promise<string>;
}

export function useExecution(): Execution {
  const scene = useService(BROWSER_SETTINGS) as Execution;
  scene.open = async () => (await scene.service.post<{ id: string }>('/v2/browser', {})).body.id;
  scene.close = (id) => scene.service.fetch(`/v2/browser/${id}`, { method: 'DELETE' });
  scene.execute = (code, more = {}, id = scene.session) =>
    scene.service.post(`/v2/browser/${id}/execute`, { code, timeout: 60, ...more });
  scene.resultOf = async (code, more) => {
    const { body } = await scene.execute(code, more);
    assert.equal(body.exitCode, 0, JSON.stringify(body));
    return body.result;
  };
  before(async () => {
    scene.session = await scene.open();
  });
  after(() => scene.session && scene.close(scene.session));
  return scene;
}
