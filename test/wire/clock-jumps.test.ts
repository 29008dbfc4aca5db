// Somebody sets the clock of the machine by a day: whatever was promised before, and while it was wrong, still holds.
import { describeJump } from '../support/clock-jumps.ts';

describeJump('a day forward', 'while it runs');
