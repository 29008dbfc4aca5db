// The half of the labelled corpus that only measures. See README.md.
import { chineseNews } from './articles/chinese-news.ts';
import { datelineWire } from './articles/dateline-wire.ts';
import { referencesById } from './articles/references-by-id.ts';
import { russianMicrodata } from './articles/russian-microdata.ts';
import { agendaMicrodata } from './events/agenda-microdata.ts';
import { conferenceMany } from './events/conference-many.ts';
import { feteEnProse } from './events/fete-en-prose.ts';
import { hotelsMicrodata } from './listings/hotels-microdata.ts';
import { staffDefinitionLists } from './listings/staff-definition-lists.ts';
import { timetableSpans } from './listings/timetable-spans.ts';
import { viajesConAnuncios } from './listings/viajes-con-anuncios.ts';
import { ricettaSections } from './recipes/ricetta-sections.ts';
import { storyWithBreaks } from './recipes/story-with-breaks.ts';
import { zutatenTabelle } from './recipes/zutaten-tabelle.ts';
import { butikTwoScripts } from './shops/butik-two-scripts.ts';
import { lojaGrade } from './shops/loja-grade.ts';
import { negozioRdfa } from './shops/negozio-rdfa.ts';
import { sklepLista } from './shops/sklep-lista.ts';
import { usedGearState } from './shops/used-gear-state.ts';
import { winkelVariants } from './shops/winkel-variants.ts';

export const heldOutPages = [
  ...[negozioRdfa, winkelVariants, lojaGrade, sklepLista, butikTwoScripts, usedGearState],
  ...[russianMicrodata, referencesById, datelineWire, chineseNews],
  ...[agendaMicrodata, conferenceMany, feteEnProse],
  ...[ricettaSections, zutatenTabelle, storyWithBreaks],
  ...[hotelsMicrodata, staffDefinitionLists, viajesConAnuncios, timetableSpans],
].flat();
