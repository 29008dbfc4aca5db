// What each kind of overview is made from.
import type { PageSource } from '../../page/understanding.ts';
import type { Places } from './places.ts';

export interface OverviewPage {
  source: PageSource;
  places: Places;
}
