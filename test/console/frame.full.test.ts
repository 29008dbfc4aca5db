// The frame of the console, in every width and both themes, and what is left out of the short run.
import { walkFrame } from './walks/frame.ts';

walkFrame('full');
