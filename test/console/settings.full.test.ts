// The settings of the console, in every width and both themes, and what is left out of the short run.
import { walkSettings } from './walks/settings.ts';

walkSettings('full');
