// Hashes the words of a text, each regardless of case, and folds dates: every month, weekday, day, year, time and id becomes
// the same term, so that the months of an empty calendar have equal terms. A number is folded only where it is part of a
// date; elsewhere it may be all that differs.
use crate::core::*;
use crate::dates::*;
use crate::terms;
use crate::terms::Terms;

/// Values of `units`: one look-up tells white space, signs, and the lower case of a character that is part of a word.
const SIGN: u32 = 1;
/// A character of a script without spaces between words.
const DENSE: u32 = 2;
const ZERO: u32 = 48;
const NINE: u32 = 57;

/// The sense of a word: PLAIN, FOLDED, or the number of a day or week.
const PLAIN: i32 = 0;
/// A year, a date, a time or an id.
const FOLDED: i32 = -1;

const ID_LENGTH: usize = 16;
const UUID_HYPHEN: usize = 8;
const HYPHEN: u32 = 45;
const SPACE: u32 = 32;
const NO_BREAK_SPACE: u32 = 160;

const MAX_CALENDAR_NUMBER: u32 = 53;
const MAX_DAY: u32 = 31;
const SHORTEST_MONTH: u32 = 28;
/// "7 April", "April 7", "the 7th of April".
const NEAR: i32 = 2;
/// A page with so many different days shows a month: all its small numbers are days or weeks.
const MONTH_VIEW_DAYS: u32 = 20;

/// Two different hash functions, so that a collision in one half is not one in the other.
const LOW_SEED: u32 = 0x811c9dc5;
const HIGH_SEED: u32 = 0x2545f491;

const CALENDAR_SLOTS: usize = 4096;
const NOT_IN_CALENDAR: u32 = 0;
const CALENDAR_WORD: u32 = 2;

#[repr(C)]
struct CalendarName {
    low: u32,
    high: u32,
    kind: u32,
}

#[repr(C)]
pub struct Fingerprint {
    terms: Terms,
    units: *const u16,
    /// Two more units can be read after its end.
    text: *const u16,
    calendar: *mut CalendarName,
    /// How often each number occurred outside a date.
    loose: *mut u32,
    words: i32,
    /// Word positions of the last month or weekday, and of the last number.
    last_name: i32,
    last_number_at: i32,
    last_number: u32,
    last_number_folded: bool,
    /// One bit for each day of the month that occurred.
    days: u32,
    exact: Halves,
    /// The file name that is being read.
    name: Halves,
}

struct Halves {
    low: u32,
    high: u32,
}
impl Copy for Halves {}

const NO_UNITS: Halves = Halves { low: LOW_SEED, high: HIGH_SEED };

#[inline(always)]
fn step(hash: Halves, low: u32, high: u32) -> Halves {
    Halves {
        low: (hash.low ^ low) * 0x01000193,
        high: (((hash.high << 5) | (hash.high >> 27)) ^ high) * 0x9e3779b1,
    }
}

/// The finaliser of MurmurHash3: every bit of the result depends on every bit of the value.
#[inline(always)]
fn mix(value: u32) -> u32 {
    let mut hash = value ^ (value >> 16);
    hash *= 0x85ebca6b;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35;
    hash ^ (hash >> 16)
}

#[inline(always)]
fn mixed(hash: Halves) -> Halves {
    Halves { low: mix(hash.low), high: mix(hash.high) }
}

#[inline(always)]
unsafe fn code(of: &Fingerprint, at: usize) -> u32 {
    get(of.text, at) as u32
}

#[inline(always)]
unsafe fn unit(of: &Fingerprint, at: usize) -> u32 {
    get(of.units, code(of, at) as usize) as u32
}

#[export_name = "startFingerprint"]
pub unsafe extern "C" fn start(of: &mut Fingerprint) {
    terms::clear(&mut of.terms);
    let mut value = 0;
    while value <= MAX_CALENDAR_NUMBER as usize {
        set(of.loose, value, 0);
        value += 1;
    }
    of.words = 0;
    of.days = 0;
    of.last_number = 0;
    of.last_name = -NEAR;
    of.last_number_at = -NEAR;
    of.last_number_folded = false;
    of.exact = Halves { low: 0, high: 0 };
    of.name = NO_UNITS;
}

/// Reads the words of a text, and returns their number.
#[export_name = "readWords"]
pub unsafe extern "C" fn read_words(of: &mut Fingerprint, end: usize) -> i32 {
    let mut at = 0;
    while at < end {
        let unit = unit(of, at);
        if unit >= ZERO {
            at = if code(of, at + UUID_HYPHEN) == HYPHEN && is_uuid(of.text, at, end) {
                whole(of, at, at + UUID_LENGTH, FOLDED)
            } else if unit <= NINE {
                word_from_digit(of, at, end)
            } else {
                word(of, at, end)
            };
        } else if unit == DENSE {
            at = dense_pair(of, at, end);
        } else {
            if unit == SIGN {
                let code = code(of, at);
                of.exact = step(of.exact, code, code);
            }
            at += 1;
        }
    }
    of.words
}

// Each of the next functions reads the word at `start` and returns its end.

#[inline(always)]
unsafe fn word(of: &mut Fingerprint, start: usize, end: usize) -> usize {
    let mut hash = NO_UNITS;
    let mut has_digit = false;
    let mut at = start;
    while at < end {
        let unit = unit(of, at);
        if unit < ZERO {
            break;
        }
        has_digit |= unit <= NINE;
        hash = step(hash, unit, unit);
        at += 1;
    }
    add_word(of, mixed(hash), if has_digit & (at - start >= ID_LENGTH) { FOLDED } else { PLAIN });
    at
}

unsafe fn whole(of: &mut Fingerprint, start: usize, end: usize, sense: i32) -> usize {
    let mut hash = NO_UNITS;
    let mut at = start;
    while at < end {
        let mut unit = unit(of, at);
        if unit < ZERO {
            unit = code(of, at);
        }
        hash = step(hash, unit, unit);
        at += 1;
    }
    add_word(of, mixed(hash), sense);
    end
}

/// May contain joints, as dates and prices do.
unsafe fn word_from_digit(of: &mut Fingerprint, start: usize, end: usize) -> usize {
    let mut has_joint = false;
    let mut has_letter = false;
    let mut at = start;
    while at < end {
        let unit = unit(of, at);
        if unit > NINE {
            has_letter = true;
        } else if unit < ZERO {
            if !is_joint(code(of, at)) || at + 1 == end || !is_digit(code(of, at + 1)) {
                break;
            }
            has_joint = true;
        }
        at += 1;
    }
    let sense = if has_joint {
        if is_date_or_time(of.text, start, at) { FOLDED } else { PLAIN }
    } else if at - start >= ID_LENGTH {
        FOLDED
    } else if at - start > 4 {
        PLAIN
    } else if has_letter {
        if is_ordinal(of.text, start, at) { calendar_number(number(of.text, start, at - start - 2)) } else { PLAIN }
    } else {
        sense_of_digits(of, start, at)
    };
    whole(of, start, at, sense)
}

unsafe fn sense_of_digits(of: &Fingerprint, start: usize, end: usize) -> i32 {
    if is_amount(of, start, end) {
        return PLAIN;
    }
    let value = number(of.text, start, end - start);
    let is_year = (value >= 1900) & (value < 2200);
    if (end - start == 4) & is_year {
        FOLDED
    } else if end - start <= 2 {
        calendar_number(value)
    } else {
        PLAIN
    }
}

fn calendar_number(value: u32) -> i32 {
    if value <= MAX_CALENDAR_NUMBER { value as i32 } else { PLAIN }
}

unsafe fn is_amount(of: &Fingerprint, start: usize, end: usize) -> bool {
    let after = code(of, end);
    let next = if (after == SPACE) | (after == NO_BREAK_SPACE) { code(of, end + 1) } else { after };
    (start > 0 && is_amount_sign(code(of, start - 1))) || is_amount_sign(next)
}

/// A number next to one of these is an amount or a label: # $ % £ ¥ ° € №
fn is_amount_sign(code: u32) -> bool {
    (code == 0x23)
        | (code == 0x24)
        | (code == 0x25)
        | (code == 0xa3)
        | (code == 0xa5)
        | (code == 0xb0)
        | (code == 0x20ac)
        | (code == 0x2116)
}

/// In scripts without spaces between words, pairs of characters serve as words.
unsafe fn dense_pair(of: &mut Fingerprint, start: usize, end: usize) -> usize {
    let code_here = code(of, start);
    let is_pair = start + 1 < end && unit(of, start + 1) == DENSE;
    let next = if is_pair { code(of, start + 1) } else { 0 };
    let first = Halves { low: code_here << 16, high: step(NO_UNITS, 0, code_here).high };
    add_word(of, mixed(step(first, next, next)), PLAIN);
    if is_pair { start + 2 } else { start + 1 }
}

unsafe fn add_word(of: &mut Fingerprint, hash: Halves, sense: i32) {
    of.exact = step(of.exact, hash.low, hash.high);
    of.words += 1;
    if sense == FOLDED {
        fold(of);
    } else if sense != PLAIN {
        add_number(of, sense as u32);
    } else if !terms::repeat(&of.terms, hash.low, hash.high) {
        // Only words that are not in the calendar are among the terms.
        let kind = calendar_name(of, hash).kind;
        if kind == NOT_IN_CALENDAR {
            terms::add(&mut of.terms, hash.low, hash.high, 1);
        } else {
            fold(of);
        }
        if kind == CALENDAR_WORD {
            meet_calendar_word(of);
        }
    }
}

unsafe fn fold(of: &mut Fingerprint) {
    terms::add(&mut of.terms, mix(1), mix(2), 1);
}

unsafe fn add_number(of: &mut Fingerprint, value: u32) {
    if value <= MAX_DAY {
        of.days |= 1 << (value - 1);
    }
    let is_next_day = (value == of.last_number + 1) | ((value == 1) & (of.last_number >= SHORTEST_MONTH));
    let goes_on = of.last_number_folded & (of.last_number_at == of.words - 1) & is_next_day;
    of.last_number_folded = goes_on | (of.words - of.last_name <= NEAR);
    of.last_number = value;
    of.last_number_at = of.words;
    if of.last_number_folded {
        fold(of);
    } else {
        set(of.loose, value as usize, get(of.loose, value as usize) + 1);
    }
}

unsafe fn meet_calendar_word(of: &mut Fingerprint) {
    of.last_name = of.words;
    if (of.words - of.last_number_at <= NEAR) & !of.last_number_folded {
        let value = of.last_number as usize;
        set(of.loose, value, get(of.loose, value) - 1);
        of.last_number_folded = true;
    }
}

/// The slot of a word in the open-addressing table, or the free one where it would be.
#[inline(always)]
unsafe fn calendar_name(of: &Fingerprint, hash: Halves) -> &mut CalendarName {
    let mut slot = hash.low as usize & (CALENDAR_SLOTS - 1);
    loop {
        let name = &mut *from_mut(of.calendar, slot);
        if name.kind == NOT_IN_CALENDAR || (name.low == hash.low) & (name.high == hash.high) {
            return name;
        }
        slot = (slot + 1) & (CALENDAR_SLOTS - 1);
    }
}

/// The text is the name of a month or weekday.
#[export_name = "addCalendarName"]
pub unsafe extern "C" fn add_calendar_name(of: &mut Fingerprint, length: usize, kind: u32) {
    let mut hash = NO_UNITS;
    let mut at = 0;
    while at < length {
        let unit = unit(of, at);
        hash = step(hash, unit, unit);
        at += 1;
    }
    let Halves { low, high } = mixed(hash);
    *calendar_name(of, Halves { low, high }) = CalendarName { low, high, kind };
}

/// The text is the next part of a file name.
#[export_name = "readFileName"]
pub unsafe extern "C" fn read_file_name(of: &mut Fingerprint, length: usize) {
    let mut at = 0;
    while at < length {
        let code = code(of, at);
        of.name = step(of.name, code, code);
        at += 1;
    }
}

#[export_name = "endFileName"]
pub unsafe extern "C" fn end_file_name(of: &mut Fingerprint) {
    let Halves { low, high } = mixed(of.name);
    of.exact = step(of.exact, low, high);
    terms::add(&mut of.terms, low, high, 1);
    of.name = NO_UNITS;
}

/// Writes the halves of the three fingerprints: exact, gist and SimHash, each with the lower half first.
#[export_name = "finishFingerprint"]
pub unsafe extern "C" fn finish(of: &mut Fingerprint, result: *mut u32) {
    add_loose_numbers(of);
    let exact = mixed(of.exact);
    set(result, 0, exact.low);
    set(result, 1, exact.high);
    set(result, 2, mix(terms::gist(&of.terms, terms::low)));
    set(result, 3, mix(terms::gist(&of.terms, terms::high)));
    set(result, 4, terms::simhash(&of.terms, terms::low));
    set(result, 5, terms::simhash(&of.terms, terms::high));
}

/// At the end of the text, the numbers outside dates can be interpreted.
unsafe fn add_loose_numbers(of: &mut Fingerprint) {
    let is_month_view = bit_count(of.days) >= MONTH_VIEW_DAYS;
    let mut value = 1;
    while value <= MAX_CALENDAR_NUMBER {
        let times = get(of.loose, value as usize);
        if times > 0 && is_month_view {
            fold(of);
        } else if times > 0 {
            terms::add(&mut of.terms, mix(!value), mix(value << 8), times);
        }
        value += 1;
    }
}

fn bit_count(bits: u32) -> u32 {
    let mut count = 0;
    let mut rest = bits;
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    count
}
