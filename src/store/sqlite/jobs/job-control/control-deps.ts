// What the files of this folder share.
import type { Connection } from '../../../../util/sqlite.ts';
import type { Job } from '../../../records/jobs/job-record.ts';
import type { JobEnd } from '../job-end.ts';
import type { JobRows } from '../job-rows.ts';
import type { TaskRows } from '../task-rows.ts';

/** Changes of many tasks are made in parts, between which other calls are answered. */
export const TASKS_PER_PART = 5_000;

export interface JobControlDeps {
  connection: Connection;
  rows: JobRows;
  tasks: TaskRows;
  end: JobEnd;
  find(id: string, teamId: string, now: number): Job | undefined;
}
