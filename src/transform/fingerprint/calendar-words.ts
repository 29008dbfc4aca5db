// Names and abbreviations of months and weekdays, in the languages of most calendars that a crawler finds.

/** A month or weekday in one language but a common word in another: not a date on its own. */
const DOUBTFUL = 1;
const CALENDAR_WORD = 2;

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

export interface CalendarName {
  name: string;
  kind: number;
}

/** A name may be doubtful in one language only: the last mention decides. */
export const calendarNames = (): CalendarName[] =>
  [
    { names: NAMES, kind: CALENDAR_WORD },
    { names: DOUBTFUL_NAMES, kind: DOUBTFUL },
  ].flatMap(({ names, kind }) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, kind })),
  );
