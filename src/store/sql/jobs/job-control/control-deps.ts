// What the files of this folder share.
import type { Job } from '../../../rules/jobs/job-record.ts';
import type { Database, Tx } from '../../database.ts';
import type { JobEnd } from '../job-end.ts';
import type { JobRows } from '../job-rows.ts';
import type { TaskRows } from '../task-rows.ts';

/** Changes of many tasks are made in parts, between which other calls are answered. */
export const TASKS_PER_PART = 5_000;

export interface JobControlDeps {
  database: Database;
  rows: JobRows;
  tasks: TaskRows;
  end: JobEnd;
  /** A job of the team that can be read, locked. */
  lock(tx: Tx, id: string, teamId: string, now: number): Promise<Job | undefined>;
}
