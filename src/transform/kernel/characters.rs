// Counts the characters and words of a text, and hashes it.
use crate::core::*;

const SPACE: u32 = 0;
const LETTER: u32 = 1;
const UPPER: u32 = 2;
const DIGIT: u32 = 3;
const SENTENCE_END: u32 = 4;
const COMMA: u32 = 5;
const OTHER: u32 = 6;
const DENSE: u32 = 7;

const HASH_SEED: u32 = 0x811c9dc5;
const HASH_PRIME: u32 = 0x01000193;

#[repr(C)]
pub struct TextStats {
    words: f64,
    letters: u32,
    uppers: u32,
    digits: u32,
    sentence_ends: u32,
    commas: u32,
    others: u32,
    dense: u32,
    hash: u32,
    last: u32,
    in_word: u32,
}

#[export_name = "startStats"]
pub unsafe extern "C" fn start_stats(stats: &mut TextStats) {
    *stats = TextStats {
        words: 0.0,
        letters: 0,
        uppers: 0,
        digits: 0,
        sentence_ends: 0,
        commas: 0,
        others: 0,
        dense: 0,
        hash: HASH_SEED,
        last: SPACE,
        in_word: 0,
    };
}

/// What follows begins a new word.
#[export_name = "breakWord"]
pub unsafe extern "C" fn break_word(stats: &mut TextStats) {
    stats.in_word = 0;
}

/// Adds a text and returns the number of words so far. `kinds` has the kind of each UTF-16 unit.
#[export_name = "addText"]
pub unsafe extern "C" fn add_text(
    stats: &mut TextStats,
    kinds: *const u8,
    dense_word: f64,
    text: *const u16,
    length: usize,
) -> f64 {
    // As long as words are whole numbers, it does not matter in which order they are added.
    if stats.dense > 0 || !add_spaced(stats, kinds, text, length) {
        add_any(stats, kinds, dense_word, text, length);
    }
    stats.words
}

/// With so many characters, a counter of eight bits is full.
const FULL: usize = 255;

/// Adds a text in a script with spaces between words, without a branch for each character. Adds nothing of other texts.
unsafe fn add_spaced(stats: &mut TextStats, kinds: *const u8, text: *const u16, length: usize) -> bool {
    let TextStats { mut letters, mut uppers, mut digits, mut sentence_ends, mut commas, mut others, .. } = *stats;
    let mut hash = stats.hash;
    let mut in_word = stats.in_word;
    let mut words = 0;
    let mut at = 0;
    while at < length {
        // One counter for each kind.
        let mut counters: u64 = 0;
        let end = if length - at < FULL { length } else { at + FULL };
        while at < end {
            let code = get(text, at) as u32;
            let kind = get(kinds, code as usize) as u32;
            at += 1;
            counters += 1 << (8 * kind) as u64;
            let is_word = (kind - LETTER < DIGIT) as u32;
            words += is_word & !in_word;
            in_word = is_word;
            let lower = code + ((kind == UPPER) as u32) * 32;
            // Other characters leave the hash as it is.
            hash = (hash ^ (lower & (0 - is_word))) * (1 + is_word * (HASH_PRIME - 1));
        }
        if counter(counters, DENSE) > 0 {
            return false;
        }
        letters += counter(counters, LETTER);
        uppers += counter(counters, UPPER);
        digits += counter(counters, DIGIT);
        sentence_ends += counter(counters, SENTENCE_END);
        commas += counter(counters, COMMA);
        others += counter(counters, OTHER);
    }
    let last = last_kind(stats.last, kinds, text, length);
    let words = stats.words + words as f64;
    *stats = TextStats { words, letters, uppers, digits, sentence_ends, commas, others, dense: 0, hash, last, in_word };
    true
}

#[inline(always)]
fn counter(counters: u64, kind: u32) -> u32 {
    ((counters >> (8 * kind) as u64) & 0xff) as u32
}

/// The kind of the last character that is not a space.
unsafe fn last_kind(before: u32, kinds: *const u8, text: *const u16, length: usize) -> u32 {
    let mut at = length;
    while at > 0 {
        at -= 1;
        let kind = get(kinds, get(text, at) as usize) as u32;
        if kind != SPACE {
            return kind;
        }
    }
    before
}

unsafe fn add_any(stats: &mut TextStats, kinds: *const u8, dense_word: f64, text: *const u16, length: usize) {
    let mut words = stats.words;
    let mut letters = stats.letters;
    let mut hash = stats.hash;
    let mut last = stats.last;
    let mut in_word = stats.in_word != 0;
    let mut at = 0;
    while at < length {
        let code = get(text, at) as u32;
        let kind = get(kinds, code as usize) as u32;
        at += 1;
        if kind == SPACE {
            in_word = false;
            continue;
        }
        last = kind;
        if kind <= DIGIT {
            if !in_word {
                words += 1.0;
            }
            in_word = true;
            let mut lower = code;
            if kind == LETTER {
                letters += 1;
            } else if kind == UPPER {
                stats.uppers += 1;
                lower += 32;
            } else {
                stats.digits += 1;
            }
            hash = (hash ^ lower) * HASH_PRIME;
        } else {
            in_word = false;
            if kind == DENSE {
                words += dense_word;
                stats.dense += 1;
                hash = (hash ^ code) * HASH_PRIME;
            } else if kind == SENTENCE_END {
                stats.sentence_ends += 1;
            } else if kind == COMMA {
                stats.commas += 1;
            } else {
                stats.others += 1;
            }
        }
    }
    stats.words = words;
    stats.letters = letters;
    stats.hash = hash;
    stats.last = last;
    stats.in_word = in_word as u32;
}
