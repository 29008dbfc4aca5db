// The settings of the console, in one width.
import { walkSettings } from './walks/settings.ts';

walkSettings('short');
