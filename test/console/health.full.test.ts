// The page Health, in every width and both themes, and what is left out of the short run.
import { walkHealth } from './walks/health.ts';

walkHealth('full');
