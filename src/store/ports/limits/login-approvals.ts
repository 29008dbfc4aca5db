// Port: approved logins of the command line, until the program that started one fetches its key.

export interface LoginApprovals {
  /** Replaces an earlier one. */
  put(id: string, approval: string, expiresAt: number): Promise<void>;
  find(id: string, now: number): Promise<string | undefined>;
  /** False if there was none: of several who ask at once, one removes it. */
  remove(id: string): Promise<boolean>;
}
