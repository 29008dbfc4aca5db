// Which browser is on this machine. Looks for the file only: the browser itself starts with the first page that needs it.
import { resolve } from 'node:path';
import { findProgram, isExecutable } from '../../../util/find-program.ts';

export interface BrowserChoice {
  /** `auto`, `off`, or the path of an executable. */
  browser: string;
  /** What other programs call their Chromium, if the environment says so. */
  chromiumPath: string | undefined;
  /** Folders with programs, as in PATH. */
  searchPath: string;
}

export interface FoundBrowser {
  executable?: string;
  /** One sentence why there is none. */
  problem?: string;
}

/** The lightest first: the headless shell starts in a quarter of the time and needs a third of the memory. */
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome'];

export function findBrowser({ browser, chromiumPath, searchPath }: BrowserChoice): FoundBrowser {
  if (browser === 'off') return { problem: 'The browser is switched off (TRAWL_BROWSER=off).' };
  if (browser !== 'auto') {
    const executable = resolve(browser);
    if (isExecutable(executable)) return { executable };
    return { problem: 'TRAWL_BROWSER names a file that cannot be executed.' };
  }
  const isNamed = chromiumPath !== undefined && isExecutable(chromiumPath);
  const executable = isNamed ? chromiumPath : findProgram(NAMES, searchPath);
  if (executable) return { executable };
  return {
    problem:
      'There is no Chromium on this machine. Install chromium-headless-shell, or name one by TRAWL_BROWSER, and start again.',
  };
}
