// Port: which process has which browser session. The session itself is in the memory of that process.

export interface SessionPlace {
  /** ID of the session. */
  id: string;
  processId: string;
  teamId: string;
  /** The scrape that the session continues, if it does. A scrape has one session at a time. */
  scrape?: string;
}

type Reservation = 'reserved' | 'too many' | { takenBy: SessionPlace };

export interface SessionDirectory {
  /** Before a session is opened: at most `max` of a team at once, those that are starting included. */
  reserve(place: SessionPlace, max: number, now: number): Promise<Reservation>;
  /** The session is open: from now on it is found by the hashes of its tokens, too. */
  opened(place: SessionPlace, tokens: string[]): Promise<void>;
  /** The session is over, or was not opened. It is found by its id for a while. */
  ended(id: string, now: number): Promise<void>;
  /** Sessions of dead processes are not found. */
  find(id: string, teamId: string, now: number): Promise<SessionPlace | undefined>;
  findByToken(token: string, now: number): Promise<SessionPlace | undefined>;
  findByScrape(scrape: string, now: number): Promise<SessionPlace | undefined>;
  /** The processes that have sessions of a team, ended ones included. */
  processesOf(teamId: string, now: number): Promise<string[]>;
}
