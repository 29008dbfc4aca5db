// The playground, in every width and both themes, and what is left out of the short run.
import { walkPlayground } from './walks/playground.ts';

walkPlayground('full');
