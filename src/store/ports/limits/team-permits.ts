// Port: how much of what a team may run at once each process may run. What a dead process had goes to the others.

export interface PermitRequest {
  teamId: string;
  processId: string;
  /** What all processes together may run at once. */
  limit: number;
  /** What the process runs, and what it could run besides. 0: it gives everything back. */
  wanted: number;
  running: number;
}

export interface Permits {
  /** What the process has: nobody else uses these. */
  granted: number;
  /** How much it may run. Less than it has if others want their share: then nothing new starts until enough has ended. */
  allowed: number;
}

export interface TeamPermits {
  ask(request: PermitRequest, now: number): Promise<Permits>;
}
