// Port: the ledger. Each billed event is one entry that never changes, written in the transaction of what it bills.
import type { BilledOperation, CountedOperation } from '../../../contracts/team/team.ts';

/** Who is billed. */
export interface Account {
  teamId: string;
  /** Prefix of the API key that was used; absent if the request had none. */
  key?: string;
}

export interface Charge extends Account {
  operation: CountedOperation;
  /** The request or job that is billed. Absent if nothing about it may be stored. */
  job?: string;
  credits: number;
  /** Tokens of language models. */
  tokens?: number;
  /** It returned content. */
  succeeded?: boolean;
  /** Lists it among the recent requests of the team. Absent for parts of a larger request. */
  request?: NewRequest;
  /** A UUID. If it is written again because nobody knows whether it arrived, it counts once. */
  once?: string;
  now: number;
}

export interface NewRequest {
  id: string;
  /** What was requested, if that may be stored. */
  target?: string;
  /** False if nothing about it may be stored: then it cannot be rated either. */
  isRatable: boolean;
}

export interface UsageQuery {
  /** Both are rounded down to the hour. */
  from: number;
  /** Exclusive. */
  until: number;
  binMs: number;
}

/** What one key used in one bin; bins without use are left out. */
export interface UsageBin {
  /** Start of the bin, counted from 1970. */
  start: number;
  key: string | null;
  credits: number;
  tokens: number;
}

/** What one operation used in one bin; bins without use are left out. */
export interface OperationBin extends Omit<UsageBin, 'key'> {
  operation: string;
}

export interface ActivityQuery {
  operation?: string;
  /** Inclusive. */
  since: number;
  /** Continues after this entry. */
  after?: { at: number; id: string };
  limit: number;
}

export interface RecentRequest {
  id: string;
  operation: BilledOperation;
  target: string | null;
  at: number;
}

export interface Ledger {
  /** Bills what has no result to store. Scrapes and pages of jobs are billed where they are stored. */
  add(charge: Charge): Promise<void>;
  /** In order of time, then key. */
  usage(teamId: string, query: UsageQuery): Promise<UsageBin[]>;
  /** In order of time, then operation. */
  usageByOperation(teamId: string, query: UsageQuery): Promise<OperationBin[]>;
  /** The newest first. Requests are listed for 24 hours. */
  activity(teamId: string, query: ActivityQuery): Promise<RecentRequest[]>;
}
