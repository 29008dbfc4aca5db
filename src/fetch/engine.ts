// Port: something that can bring a page home. The plan chooses among engines, run.ts tries them.
import type { Action } from '../contracts/actions.ts';
import type { ScreenshotOptions } from '../contracts/formats.ts';
import type { Location } from '../contracts/location.ts';
import type { EngineName, FetchedPage, ProxyClass } from '../contracts/page.ts';

export interface FetchRequest {
  url: URL;
  /** The caller's own headers: they go to the target's origin and to no other. */
  headers: Record<string, string>;
  /** Added to the User-Agent: crawls say who they are. */
  agent?: string;
  mobile: boolean;
  location: Location;
  verifyTls: boolean;
  /** The five that only a browser can serve. Milliseconds to wait beside its own smart wait: */
  waitFor: number;
  /** Without advertisements, trackers and pop-ups that ask for consent. */
  blockAds: boolean;
  actions: readonly Action[];
  screenshot?: ScreenshotOptions;
  /** What it is to have stored already: the state of a profile. */
  profile?: string;
  proxyClass: ProxyClass;
  /** When the caller's time is over: no pause is worth starting that ends later. */
  deadline: number;
  /** "Not now" (429, 503) is an answer and not waited out: whoever asks a host for many pages waits with all of them. */
  isBusyFinal?: boolean;
  /** Looks at the type and the first bytes before the rest is read; throws when the page is of no use. */
  admit(contentType: string, firstBytes: Uint8Array): Admission;
}

/** `enough`: this is all that is wanted of it, and its bytes are left where they are. */
export type Admission = 'enough' | undefined;

/** One that runs the scripts of a page. */
export interface RenderingEngine extends FetchEngine {
  /** Undefined while it can be used; else one sentence why not. */
  unavailable(): string | undefined;
}

export interface FetchEngine {
  readonly name: EngineName;
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
}
