// The extractors that are compared: Trawl, and the peers with the options that their users get.
import { join } from 'node:path';
import { installCargo, installPip } from '../install.ts';
import { PEERS as FOLDER, installPeers } from '../peers.ts';
import { type ExtractorProcess, startModule, startProgram } from './extractor-process.ts';

export interface System {
  name: string;
  /** Installs it when it is first needed. Throws NotInstalled if this machine lacks what it needs. */
  start(): Promise<ExtractorProcess>;
}

export const OURS: System = {
  name: 'Trawl',
  // Has the heap limits of a transform thread.
  start: () =>
    startModule(join(import.meta.dirname, 'trawl-extractor.ts'), [
      '--max-old-space-size=512',
      '--max-semi-space-size=5',
    ]),
};

/** All costs are compared with this one's. */
export const RIVAL = npmPeer('Readability');

// lxml no longer contains the cleaner that trafilatura imports.
const TRAFILATURA = ['trafilatura==2.3.1', 'lxml_html_clean==0.4.6'];

export const PEERS: System[] = [
  RIVAL,
  npmPeer('defuddle'),
  npmPeer('mdream'),
  {
    name: 'trafilatura',
    start: async () =>
      startProgram(installPip(cacheOf('trafilatura'), TRAFILATURA), [join(FOLDER, 'trafilatura_peer.py')]),
  },
  {
    name: 'rs-trafilatura',
    start: async () => {
      const programs = installCargo(cacheOf('rs-trafilatura'), join(FOLDER, 'rs-trafilatura'));
      return startProgram(join(programs, 'rs-trafilatura-peer'));
    },
  },
];

/** A peer whose package npm installs, and whose module bears its name. */
function npmPeer(name: string): System {
  return {
    name,
    start: async () => {
      installPeers();
      return startModule(join(FOLDER, `${name.toLowerCase()}.mjs`));
    },
  };
}

function cacheOf(name: string): string {
  return join(FOLDER, 'node_modules/.cache', name);
}
