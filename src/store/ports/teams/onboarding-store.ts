// Port: what must not be forgotten about those who get a key by themselves, or use the service without one.

/** An agent that got its key by itself. */
export interface Registration {
  id: string;
  teamId: string;
  createdAt: number;
  /** When an anonymous agent is forgotten, unless it was claimed. */
  expiresAt: number | null;
  claimedAt: number | null;
  /** When its agent asked for approval, and for whom. */
  requestedAt: number | null;
  email: string | null;
  /** Ids of its keys, the oldest first. Some may have been revoked. */
  keyIds: string[];
}

export interface NewAnonymous {
  teamId: string;
  claimHash: string;
  expiresAt: number;
  /** Maximum number of agents that are neither claimed nor expired. */
  maxUnclaimed: number;
  now: number;
}

export interface OnboardingStore {
  /** False if the assertion was used before. The answer is durable. */
  useAssertion(assertion: string, usableUntil: number): Promise<boolean>;
  /** The registration of a person at an issuer, found or made. */
  ensureRegistration(subject: string, teamId: string, now: number): Promise<Registration>;
  /** Undefined if there are too many. */
  addAnonymous(registration: NewAnonymous): Promise<Registration | undefined>;
  /** How many anonymous registrations are neither claimed nor expired. */
  countUnclaimed(now: number): Promise<number>;
  /** Adds a key, and removes from the registration those beyond `maxKeys`, the oldest first: these it returns. */
  addKey(registrationId: string, keyId: string, maxKeys: number): Promise<string[]>;
  find(id: string, now: number): Promise<Registration | undefined>;
  findByKey(keyId: string): Promise<Registration | undefined>;
  /** Notes that the agent with this claim token asks for approval. Undefined if no agent has this token. */
  requestClaim(claimHash: string, email: string | null, now: number): Promise<Registration | undefined>;
  /** Anonymous registrations that are neither claimed nor expired, the oldest first. */
  listUnclaimed(now: number, limit: number): Promise<Registration[]>;
  /** Once claimed, it is kept. */
  claim(id: string, now: number): Promise<void>;
  /** Forgets a registration, but not its keys. */
  remove(id: string): Promise<void>;
  /**
   * Counts a request without a key. `caller` stands for an address on one day. False if that is more than `maxRequests`, or
   * if more than `maxCallers` came that day.
   */
  takeKeyless(caller: string, day: number, limits: KeylessLimits): Promise<boolean>;
  /** Requests of the day so far. */
  keylessRequests(caller: string): Promise<number>;
}

export interface KeylessLimits {
  maxRequests: number;
  maxCallers: number;
}
