// The spelling of dates, times, ordinal numbers and ids.
use crate::core::*;

const HYPHEN: u32 = 45;
const FULL_STOP: u32 = 46;
const SLASH: u32 = 47;
const COLON: u32 = 58;
const COMMA: u32 = 44;

/// Longer runs are neither dates nor times.
const MAX_DATE: usize = 32;
pub const UUID_LENGTH: usize = 36;

#[inline(always)]
unsafe fn code(text: *const u16, at: usize) -> u32 {
    get(text, at) as u32
}

#[inline(always)]
unsafe fn lower(text: *const u16, at: usize) -> u32 {
    code(text, at) | 32
}

#[inline(always)]
pub fn is_digit(code: u32) -> bool {
    (code >= 48) & (code <= 57)
}

#[inline(always)]
unsafe fn has_digit(text: *const u16, at: usize, end: usize) -> bool {
    at < end && is_digit(code(text, at))
}

/// Characters that may join digits within a date, time or price.
#[inline(always)]
pub fn is_joint(code: u32) -> bool {
    is_date_joint(code) | (code == COLON) | (code == COMMA)
}

#[inline(always)]
fn is_date_joint(code: u32) -> bool {
    (code == HYPHEN) | (code == SLASH) | (code == FULL_STOP)
}

/// 8, 4, 4, 4 and 12 hexadecimal digits.
pub unsafe fn is_uuid(text: *const u16, start: usize, end: usize) -> bool {
    if start + UUID_LENGTH > end {
        return false;
    }
    let mut at = 0;
    while at < UUID_LENGTH {
        let is_hyphen = (at == 8) | (at == 13) | (at == 18) | (at == 23);
        let letter = lower(text, start + at);
        let is_hex = is_digit(code(text, start + at)) | ((letter >= 97) & (letter <= 102));
        if !(if is_hyphen { code(text, start + at) == HYPHEN } else { is_hex }) {
            return false;
        }
        at += 1;
    }
    true
}

/// "1st", "22nd".
pub unsafe fn is_ordinal(text: *const u16, start: usize, end: usize) -> bool {
    let digits = digits_at(text, start, end);
    if (digits == 0) | (digits > 2) || start + digits + 2 != end {
        return false;
    }
    let (first, second) = (lower(text, end - 2), lower(text, end - 1));
    let (s, t, n, d, r, h) = (115, 116, 110, 100, 114, 104);
    (first == s) & (second == t) | (first == n) & (second == d) | (first == r) & (second == d) | (first == t) & (second == h)
}

pub unsafe fn is_date_or_time(text: *const u16, start: usize, end: usize) -> bool {
    end - start <= MAX_DATE && (is_time(text, start, end) || is_date(text, start, end))
}

/// Begins with hour and minute.
unsafe fn is_time(text: *const u16, start: usize, end: usize) -> bool {
    let digits = digits_at(text, start, end);
    let minute = start + digits + 1;
    if (digits == 0) | (digits > 2) || minute >= end || code(text, minute - 1) != COLON {
        return false;
    }
    (number(text, start, digits) <= 24)
        & has_digit(text, minute, end)
        & (code(text, minute) <= 53)
        & has_digit(text, minute + 1, end)
        & !has_digit(text, minute + 2, end)
}

/// The fields of a date are numbers: 2026-11-19, 19.11.2026, 11/2026, 2026/27, 19/11/26.
unsafe fn is_date(text: *const u16, start: usize, end: usize) -> bool {
    let first_digits = digits_at(text, start, end);
    let second = start + first_digits + 1;
    if second >= end {
        return false;
    }
    let joint = code(text, second - 1);
    let second_digits = digits_at(text, second, end);
    if !is_date_joint(joint) | (second_digits == 0) {
        return false;
    }
    let starts_with_year = is_year(text, start, first_digits);
    let starts_with_day = is_day(text, start, first_digits);
    let third = second + second_digits + 1;
    if third > end {
        let ends_with_year = is_year(text, second, second_digits);
        // With a full stop, a year and a number would be a price.
        return (starts_with_day & ends_with_year)
            | (starts_with_year & (joint != FULL_STOP) & (ends_with_year | (second_digits <= 2)));
    }
    if code(text, third - 1) != joint {
        return false;
    }
    let third_digits = digits_at(text, third, end);
    let rest = third + third_digits;
    let has_day = is_day(text, second, second_digits);
    if starts_with_year & has_day & is_day(text, third, third_digits) {
        // The time may follow.
        return rest == end || ((lower(text, rest) == 116) & has_digit(text, rest + 1, end));
    }
    (rest == end)
        && ((starts_with_day & has_day & is_year(text, third, third_digits))
            | ((joint != HYPHEN)
                & (first_digits == 2)
                & (second_digits == 2)
                & (third_digits == 2)
                & (code(text, start) <= 51)
                & (code(text, second) <= 51)))
}

unsafe fn digits_at(text: *const u16, start: usize, end: usize) -> usize {
    let mut at = start;
    while has_digit(text, at, end) {
        at += 1;
    }
    at - start
}

/// The value of a few digits.
pub unsafe fn number(text: *const u16, start: usize, digits: usize) -> u32 {
    let mut value = 0;
    let mut at = start;
    while at < start + digits {
        value = 10 * value + (code(text, at) - 48);
        at += 1;
    }
    value
}

unsafe fn is_year(text: *const u16, start: usize, digits: usize) -> bool {
    if digits != 4 {
        return false;
    }
    let year = number(text, start, 4);
    (year >= 1900) & (year < 2200)
}

unsafe fn is_day(text: *const u16, start: usize, digits: usize) -> bool {
    if (digits == 0) | (digits > 2) {
        return false;
    }
    let day = number(text, start, digits);
    (day >= 1) & (day <= 31)
}
