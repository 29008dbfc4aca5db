// Port: programs that select values from pages of one site, for the format deterministicJson, with what is known about them
// (understand/json/program/program-history.ts).

export interface ProgramKey {
  /** As in page/site-memory.ts. Deleting pages of the site deletes what is kept. */
  site: string;
  /** A hash of what the caller asked for. */
  asked: string;
}

export interface ProgramStore {
  /** What is kept for this team and key. Counts as a use. */
  find(teamId: string, key: ProgramKey, now: number): Promise<string | undefined>;
  /**
   * Replaces what is kept, if that is still `before`; undefined: nothing. Returns whether it was. What the team has not used for
   * the longest time makes room.
   */
  replace(teamId: string, key: ProgramKey, before: string | undefined, after: string, now: number): Promise<boolean>;
}

/** More than the sites and schemas that a team works with. */
export const MAX_PROGRAMS = 1_000;
