// Browser sessions of a service, as their callers open and end them.
import assert from 'node:assert/strict';
import type { Scene } from './use-service.ts';

export interface CreatedSession {
  id: string;
  cdpUrl: string;
  liveViewUrl: string;
  interactiveLiveViewUrl: string;
  expiresAt: string;
}

export function sessionsOf(scene: Scene) {
  return {
    async create(body = {}, path = '/v2/browser'): Promise<CreatedSession> {
      const answer = await scene.service.post<CreatedSession & { error?: string }>(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    async remove(id: string, path = '/v2/browser') {
      const response = await scene.service.fetch(`${path}/${id}`, { method: 'DELETE' });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
