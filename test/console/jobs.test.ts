// The pages of jobs, in one width.
import { walkJobs } from './walks/jobs.ts';

walkJobs('short');
