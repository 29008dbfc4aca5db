// Time zones by their IANA names, from the data of the JavaScript engine.

export interface TimeZone {
  /** How far its clocks are ahead of UTC, in milliseconds. */
  offsetAt(time: number): number;
}

/** Undefined if there is no zone of that name. */
export function openTimeZone(name: string): TimeZone | undefined {
  if (/^(?:etc\/)?(?:utc|gmt)$/i.test(name)) return { offsetAt: () => 0 };
  const format = /^[a-z]/i.test(name) ? formatterFor(name) : undefined;
  if (!format) return undefined;
  return {
    offsetAt(time) {
      const [month, day, year, hour, minute, second] = format
        .formatToParts(time)
        .filter(({ type }) => type !== 'literal')
        .map(({ value }) => Number(value));
      return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(time / 1000) * 1000;
    },
  };
}

function formatterFor(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}
