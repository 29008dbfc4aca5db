// Port: what each process runs for each team, so that any of them can tell how busy a team is.

export interface WorkLoad {
  active: number;
  waiting: number;
}

export interface TeamLoad extends WorkLoad {
  teamId: string;
}

export interface TeamLoads {
  /** Replaces what the process has said before: teams that are missing here have nothing to do there. */
  write(processId: string, loads: readonly TeamLoad[]): Promise<void>;
  /** All living processes but this one: what they run for the team, and how much they could run at once. */
  ofOthers(teamId: string, processId: string, now: number): Promise<WorkLoad & { maxConcurrency: number }>;
}
