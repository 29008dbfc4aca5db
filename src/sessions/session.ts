// Port: browsers that callers drive themselves. Each session has a browser of its own, which ends with it.

/** A connection to the browser of a session, in the Chrome DevTools Protocol: one JSON text a message. */
export interface CdpChannel {
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  /** Called once, when the connection is over for whatever reason. */
  onClose(listener: () => void): void;
  close(): void;
}

/** Each opens one thing and nothing else: the protocol, a look at the page, and the hand on it. Random, 32 hex digits. */
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
  /** At the latest; without activity it ends before. */
  readonly expiresAt: number;
  readonly lastActivityAt: number;
  readonly streamWebView: boolean;
  /** What links to it begin with; no slash at its end. */
  readonly baseUrl: string;
  /** Something was done in it. */
  touch(): void;
  /** A connection of its own to the whole browser of the session (not to one page). */
  connect(signal: AbortSignal): Promise<CdpChannel>;
  /** Aborts when the session is over. */
  readonly ended: AbortSignal;
}

export interface NewSession {
  teamId: string;
  ttlMs: number;
  activityTtlMs: number;
  streamWebView: boolean;
  baseUrl: string;
  profile?: { name: string; saveChanges: boolean };
}

export interface EndedSession {
  id: string;
  durationMs: number;
}

export interface Sessions {
  /** Throws ServiceError: too many (429), no browser (503), the profile is being saved by another (409). */
  open(session: NewSession, signal: AbortSignal): Promise<BrowserSession>;
  find(id: string, teamId: string): BrowserSession | undefined;
  /** Was there such a session that has ended? (410 instead of 404.) */
  hasEnded(id: string, teamId: string): boolean;
  findByToken(kind: keyof SessionTokens, token: string): BrowserSession | undefined;
  /** Those that are open, then those that ended lately. */
  list(teamId: string): { session: BrowserSession; status: 'active' | 'destroyed' }[];
  end(id: string, teamId: string): Promise<EndedSession | undefined>;
  close(): Promise<void>;
}
