// The playground, in one width.
import { walkPlayground } from './walks/playground.ts';

walkPlayground('short');
