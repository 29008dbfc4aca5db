// The answers of the playground, in one width.
import { walkAnswers } from './walks/answer.ts';

walkAnswers('short');
