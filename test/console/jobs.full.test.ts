// The pages of jobs, in every width and both themes, and what is left out of the short run.
import { walkJobs } from './walks/jobs.ts';

walkJobs('full');
