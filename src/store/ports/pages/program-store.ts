// Port: programs that select values from pages of one template, for the format deterministicJson.

export interface ProgramStore {
  /** Counts as a use. */
  find(teamId: string, key: string, now: number): Promise<string | undefined>;
  /** Replaces an earlier one. The least recently used programs of the team make room. */
  save(teamId: string, key: string, value: string, now: number): Promise<void>;
}

/** More than the templates that a team works with. */
export const MAX_PROGRAMS = 1_000;
