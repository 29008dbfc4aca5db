// For a test file: starts the small web and a service before the first test, and stops them after the last.
import { after, before } from 'node:test';
import { type RunningService, startServiceWith } from './service.ts';
import { startWeb, type Web } from './web.ts';

export interface Scene {
  web: Web;
  service: RunningService;
  /** A second service, if `otherSettings` were given. */
  other: RunningService;
}

type Settings = Record<string, string>;

/** The fields are set before the first test runs. */
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
