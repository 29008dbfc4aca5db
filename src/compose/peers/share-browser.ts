// A browser engine that loads pages here or at another process, whichever is responsible.
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import { fetchRemotely, type PageBrowser, type RemoteBrowserDeps } from '../../peers/pages/remote-browser.ts';
import type { BrowserProcesses } from './browser-processes.ts';

interface Deps extends Omit<RemoteBrowserDeps, 'choose'> {
  browsers: BrowserProcesses;
}

export const shareBrowser = (own: BrowserEngine, kind: PageBrowser, { browsers, ...deps }: Deps): BrowserEngine => ({
  ...own,
  unavailable: () => (browsers.choose('pages') ? undefined : own.unavailable()),
  async fetch(request, signal) {
    const choose = (except?: string) => browsers.choose('pages', except);
    return choose() ? fetchRemotely({ ...deps, choose }, kind, request, signal) : own.fetch(request, signal);
  },
});
