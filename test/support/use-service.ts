// For a test file: the small web and a service before the first test, and an end of both after the last.
import { after, before } from 'node:test';
import { type RunningProgram, type RunningService, startServiceWith } from './service.ts';
import { joinService, startSharedWeb } from './shared-service.ts';
import type { Site } from './web/reply.ts';
import { startWeb, type Web } from './web.ts';

export interface Scene<S extends RunningService = RunningService> {
  web: Web;
  service: S;
  /** A second service, if `otherSettings` were given. */
  other: S;
}

type Settings = Record<string, string>;

/**
 * A service in this process, which files with the same settings share: for tests of what a caller gets. The file has a team to itself, which
 * is not the operator's. The fields are set before the first test runs.
 */
export const useService = (settings: Settings = {}, otherSettings?: Settings, sites?: Record<string, Site>): Scene =>
  useScene(() => startSharedWeb(sites), joinService, settings, otherSettings);

/** A program of its own, with the operator's key: for tests that stop it, fill it, or look at all that it has done. */
export const useOwnService = (
  settings: Settings = {},
  otherSettings?: Settings,
  sites?: Record<string, Site>,
): Scene<RunningProgram> => useScene(() => startWeb(sites), startServiceWith, settings, otherSettings);

function useScene<S extends RunningService>(
  openWeb: () => Promise<Web>,
  open: (web: Web, settings: Settings) => Promise<S>,
  settings: Settings,
  otherSettings?: Settings,
): Scene<S> {
  const scene = {} as Scene<S>;
  before(async () => {
    scene.web = await openWeb();
    scene.service = await open(scene.web, settings);
    if (otherSettings) scene.other = await open(scene.web, otherSettings);
  });
  after(async () => {
    await scene.service?.stop();
    await scene.other?.stop();
    await scene.web?.stop();
  });
  return scene;
}
