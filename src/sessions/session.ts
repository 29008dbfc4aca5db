// Port: browser sessions that callers control themselves. Each has its own browser, which ends with it.
import type { ServiceError } from '../contracts/errors/errors.ts';
import type { KeyLimits } from '../contracts/team/policy.ts';
import type { CheckUrl } from '../net/check-url.ts';
import type { ProxyClass } from '../page/page.ts';

/** A connection to the browser of a session: each message is one JSON text of the Chrome DevTools Protocol. */
export interface CdpChannel {
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  /** Called once, when the connection closes for any reason. */
  onClose(listener: () => void): void;
  close(): void;
}

/** Each grants one thing only: the protocol, viewing the page, or controlling it. Random, 32 hex digits. */
export interface SessionTokens {
  cdp: string;
  view: string;
  control: string;
}

export interface BrowserSession {
  readonly id: string;
  readonly teamId: string;
  readonly tokens: SessionTokens;
  readonly createdAt: number;
  /** The latest end; without activity the session ends earlier. */
  readonly expiresAt: number;
  readonly lastActivityAt: number;
  readonly streamWebView: boolean;
  /** The start of links to it, without a trailing slash. */
  readonly baseUrl: string;
  /** The run that uses it, if it is not a caller's. */
  readonly runId?: string;
  /** The key that opened it. */
  readonly opener?: SessionOpener;
  /** Records activity. */
  touch(): void;
  /** Opens a separate connection to the session's whole browser (not to one page). */
  connect(signal: AbortSignal): Promise<CdpChannel>;
  /**
   * From now on its browser reaches only hosts that pass this check, until the returned function is called. Resolves when
   * tunnels to others are closed.
   */
  restrictHosts(check: CheckUrl, signal: AbortSignal): Promise<() => void>;
  /** Aborts when the session is over, with the ServiceError that says why. */
  readonly ended: AbortSignal;
}

/** The links to a session stand for this key, so they are restricted as it is. */
export interface SessionOpener {
  keyId?: string;
  limits?: KeyLimits;
}

export interface NewSession {
  teamId: string;
  ttlMs: number;
  activityTtlMs: number;
  streamWebView: boolean;
  baseUrl: string;
  runId?: string;
  opener?: SessionOpener;
  profile?: { name: string; saveChanges: boolean };
  /** The scrape that it continues, which has one session at a time. */
  scrape?: string;
  network?: SessionNetwork;
}

/** How the browser reaches the web; by default directly (or by the basic proxy), and with valid certificates only. */
export interface SessionNetwork {
  proxyClass: ProxyClass;
  country?: string;
  verifyTls: boolean;
}

export interface EndedSession {
  id: string;
  durationMs: number;
}

export interface SessionProcess {
  session: BrowserSession;
  pid: number;
  memoryBytes: number;
}

export interface Sessions {
  /** Undefined while there is a browser; else one sentence why not. */
  unavailable(): string | undefined;
  /** Throws ServiceError: too many sessions (429), no browser (503), another session will save the profile (409). */
  open(session: NewSession, signal: AbortSignal): Promise<BrowserSession>;
  find(id: string, teamId: string): BrowserSession | undefined;
  /** A session that has ended (410 instead of 404), if it is still remembered. */
  findEnded(id: string, teamId: string): BrowserSession | undefined;
  findByToken(kind: keyof SessionTokens, token: string): BrowserSession | undefined;
  /** Open sessions, then those that ended recently. */
  list(teamId: string): { session: BrowserSession; status: 'active' | 'destroyed' }[];
  /** Open sessions of all teams. */
  count(): number;
  /** Open sessions of all teams with their browsers, for the operator. The oldest first. */
  processes(): SessionProcess[];
  /** `reason` is what those get who still use it; by default that it was ended. */
  end(id: string, teamId: string, reason?: ServiceError): Promise<EndedSession | undefined>;
  /** Enters the open sessions into the directory again, which has forgotten them. */
  announce(): Promise<void>;
  close(): Promise<void>;
}
