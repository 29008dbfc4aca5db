// The answers of the playground, in every width and both themes, and what is left out of the short run.
import { walkAnswers } from './walks/answer.ts';

walkAnswers('full');
