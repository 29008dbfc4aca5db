// Hostile inputs again, as large as a full run looks at.
import { testFullAmounts, UNITS } from '../support/full-amounts.ts';

testFullAmounts('unit', UNITS);
