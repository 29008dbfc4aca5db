// The frame of the console, in one width.
import { walkFrame } from './walks/frame.ts';

walkFrame('short');
