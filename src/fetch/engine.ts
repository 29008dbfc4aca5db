// Port: fetches pages. plan.ts chooses among the engines, run.ts tries them.
import type { ScreenshotOptions } from '../contracts/formats/formats.ts';
import type { PassedOptions } from '../contracts/scrape/option-traits.ts';
import type { CallerHeaders } from '../net/http/caller-headers.ts';
import type { Recorder } from '../net/recorder.ts';
import type { EngineName, Fetched, ProxyClass } from '../page/page.ts';
import type { ThreatCheck } from '../policy/threats/threat-check.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import type { ArchivedAnswers } from './archive/archived-answers.ts';
import type { AttemptNotes } from './explain/attempt-notes.ts';

/** The options `waitFor`, `blockAds` and `actions` need a browser. */
export interface FetchRequest extends PassedOptions<'fetch'> {
  url: URL;
  /** For whom the page is fetched: browsers are shared by team. */
  asker: Asker;
  headers: CallerHeaders;
  /** Appended to the User-Agent: crawls identify themselves. */
  agent?: string;
  /** False accepts invalid certificates. The page says whether there was one. */
  verifyTls: boolean;
  // From here to `profile`: only a browser can do it.
  screenshot?: ScreenshotOptions;
  /** Measures how the page looks. */
  styles?: boolean;
  /** The stored state of a profile, which the browser starts with. */
  profile?: string;
  proxyClass: ProxyClass;
  /** When the caller's time is over. No pause is started that would end later. */
  deadline: number;
  /** Returns "not now" (429, 503) instead of retrying: crawls slow down for the whole host. */
  isBusyFinal?: boolean;
  /** A copy of the page is at hand: the site may answer 304 instead of sending it again. Only the HTTP engine sends them. */
  validators?: Validators;
  /** Checks every document before it is requested (the page, each redirect, frames), and every host once a script of the caller runs. */
  threatCheck?: Pick<ThreatCheck, 'check' | 'checkHost'>;
  /** Set if the caller wants to know how the page was fetched. */
  notes?: AttemptNotes;
  /** Keeps what goes over the wire for the page. */
  recorder?: Recorder;
  /** An archive that answers instead of the web: nothing is sent. */
  answers?: ArchivedAnswers;
  /** Decides by type and first bytes, before the rest is read. Throws if the page is of no use. */
  admit(contentType: string, firstBytes: Uint8Array): DownloadDecision;
}

/** What identifies the copy of a page to its site (RFC 9110, 13.1). */
export interface Validators {
  /** Where the copy came from, after redirects. */
  url: string;
  etag?: string;
  lastModified?: string;
}

/** `enough`: the type is all that is wanted, and the body is not downloaded. */
export type DownloadDecision = 'enough' | undefined;

/** An engine that runs the scripts of a page. */
export interface RenderingEngine extends FetchEngine {
  /** Undefined while the engine can be used; else one sentence why not. */
  unavailable(): string | undefined;
}

export interface FetchEngine {
  readonly name: EngineName;
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>;
}
