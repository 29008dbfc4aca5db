// For a test file: the small web and the service that sees it, there before the first test and gone after the last.
import { after, before } from 'node:test';
import { type RunningService, startServiceWith } from './service.ts';
import { startWeb, type Web } from './web.ts';

export interface Scene {
  web: Web;
  service: RunningService;
  /** A second service with other settings, where a test asked for one. */
  other: RunningService;
}

type Settings = Record<string, string>;

/** The scene is set when the tests run, not before. */
export function useService(settings: Settings = {}, otherSettings?: Settings): Scene {
  const scene = {} as Scene;
  before(async () => {
    scene.web = await startWeb();
    scene.service = await startServiceWith(scene.web, settings);
    if (otherSettings) scene.other = await startServiceWith(scene.web, otherSettings);
  });
  after(async () => {
    await scene.service?.stop();
    await scene.other?.stop();
    await scene.web?.stop();
  });
  return scene;
}
