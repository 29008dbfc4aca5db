// The page Health, in one width.
import { walkHealth } from './walks/health.ts';

walkHealth('short');
