// Names and abbreviations of months and weekdays, in the languages of most calendars that a crawler finds.
import { hashWord } from './hashed-words.ts';

export const NOT_IN_CALENDAR = 0;
/** A month or weekday in one language but a common word in another: not a date on its own. */
export const DOUBTFUL = 1;
export const CALENDAR_WORD = 2;

/** Classifies a word by the two halves of its hash. */
export type CalendarTest = (low: number, high: number) => number;

const NAMES = `
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun

januar jänner februar märz mai juni juli oktober dezember mär mrz okt dez
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag

janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre
janv févr fevr fév avr juil déc lundi mardi mercredi jeudi vendredi samedi dimanche lun mer ven sam dim

enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
ene abr dic lunes martes miércoles miercoles jueves viernes sábado sabado domingo mié jue vie sáb dom

gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre giu lug ott
lunedì lunedi martedì martedi mercoledì mercoledi giovedì giovedi venerdì venerdi sabato domenica gio sab

janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev
segunda terça quarta quinta sexta seg ter qua qui sex

januari februari maart mei augustus mrt
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
`;
const DOUBTFUL_NAMES =
  'mo di mi do fr sa so lu ma me je ve jeu mie ju vi gi gen mag ago set out feira wo vr za zo su tu we th';

const SLOTS = 4096;

export function createCalendarTest(): CalendarTest {
  // An open-addressing table, sparse enough that most words hit an empty slot at once.
  const lows = new Int32Array(SLOTS);
  const highs = new Int32Array(SLOTS);
  const kinds = new Uint8Array(SLOTS);
  const slotOf = (low: number, high: number): number => {
    let slot = low & (SLOTS - 1);
    while (kinds[slot] !== NOT_IN_CALENDAR && (lows[slot] !== low || highs[slot] !== high))
      slot = (slot + 1) & (SLOTS - 1);
    return slot;
  };
  const add = (names: string, kind: number) => {
    for (const name of names.trim().split(/\s+/)) {
      const [low, high] = hashWord(name);
      const slot = slotOf(low, high);
      lows[slot] = low;
      highs[slot] = high;
      kinds[slot] = kind;
    }
  };
  add(NAMES, CALENDAR_WORD);
  add(DOUBTFUL_NAMES, DOUBTFUL);
  return (low, high) => kinds[slotOf(low, high)]!;
}
