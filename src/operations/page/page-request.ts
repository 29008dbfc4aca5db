// A request for one page, as operations make it.
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { Recorder } from '../../net/recorder.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import { type Asker, OWN_WORK } from '../../runtime/gate/gate.ts';
import type { Deadline } from '../../util/abort.ts';
import type { PageTrace } from './explain/page-trace.ts';

export type PageOptions = ScrapeOptions & { zeroDataRetention: boolean };

export interface PageRequest {
  url: URL;
  /** The team that asks: it decides which stored pages can answer, and whose the page is. Undefined for the service itself. */
  teamId: string | undefined;
  /** The team has no secrets from anybody: what would be for the team alone is not stored. */
  isStranger?: true | undefined;
  options: PageOptions;
  /** Checks the URLs of the page before they are requested. Undefined if no rule applies. */
  threatCheck: ThreatCheck | undefined;
  /** The headers in `options`, for the origin that the caller named. */
  headers: CallerHeaders;
  /** When the caller's timeout ends. */
  deadline: number;
  /** Set for jobs: time spent waiting for a browser, parser or thread does not count against the timeout. */
  pausable?: Pick<Deadline, 'pause'>;
  /** Set for pages that nobody waits for one by one: they wait for their turn, and are not refused in overload. */
  isPatient?: true;
  /** Prefix of links to files, without a trailing slash. */
  baseUrl: string;
  /** Added to the User-Agent, so that crawls identify themselves. */
  agent?: string;
  /** The latest time at which the page can have changed, in milliseconds, if a sitemap says so. */
  lastModified?: number;
  /** The crawl that the page is read for, if it tracks changes. */
  crawl?: TrackedCrawl;
  /** Do not retry after 429 or 503: the caller does that. */
  isBusyFinal?: boolean;
  /** Set if the caller wants to know why the answer is as it is. */
  trace?: PageTrace | undefined;
  /** Keeps what goes over the wire. */
  recorder?: Recorder | undefined;
}

/** A crawl that tracks changes, as the request for one of its pages sees it. */
export interface TrackedCrawl {
  /** Identifies it together with earlier crawls of the same site. */
  key: string;
  /** An earlier crawl knows the page, and nothing that this one has read links to it. */
  isUnlinked: boolean;
}

/** For whom slots of browsers, parsers and threads are taken. */
export const askerOf = ({ teamId, pausable, isPatient, deadline }: PageRequest): Asker => ({
  team: teamId ?? OWN_WORK.team,
  ...(pausable ? { pausable } : !isPatient && { deadline }),
});

/** Whether anything about the request may be stored. */
export const mayStore = (options: PageOptions): boolean => !options.zeroDataRetention && !options.lockdown;
