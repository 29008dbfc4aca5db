// Scrapes of pages behind the walls, and what is looked at in their answers.
import { after, before } from 'node:test';
import type { RunningService } from '../service.ts';
import { startServiceHere } from '../service-here.ts';
import { INSIDE, startWalls, type WallName, type Walls } from './walls.ts';

interface Attempt {
  engine: string;
  proxy: string;
  outcome: string;
  ms: number;
}

interface Scraped {
  success: boolean;
  error?: string;
  warning?: string;
  data: { markdown: string; metadata: Record<string, unknown> & { attempts?: Attempt[] } };
}

export function useWalls() {
  const scene = {} as { walls: Walls };
  before(async () => {
    scene.walls = await startWalls();
  });
  after(() => scene.walls?.stop());

  const start = (settings: Record<string, string> = {}) => startServiceHere({ ...scene.walls.settings, ...settings });

  async function scrape(service: RunningService, wall: WallName, options: object = {}) {
    const { status, body } = await service.scrape<Scraped>({ url: scene.walls.url(wall), maxAge: 0, ...options });
    const { statusCode, proxyUsed, creditsUsed, attempts = [] } = body.data?.metadata ?? {};
    return {
      status,
      ...body,
      isInside: body.data?.markdown.includes(INSIDE) ?? false,
      result: [statusCode, proxyUsed, creditsUsed],
      trail: attempts.map(({ engine, proxy, outcome }) => `${engine} ${proxy} ${outcome}`),
    };
  }

  return { scene, start, scrape };
}
