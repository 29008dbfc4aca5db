// The distinct words of a text with their counts.
use crate::core::*;

const SLOTS: usize = 1 << 15;
const MAX_TERMS: usize = 1 << 14;
/// Words beyond this many collisions are ignored, which bounds the cost of hostile texts.
const MAX_PROBES: usize = 64;
/// Further occurrences of a word do not add weight.
const MAX_WEIGHT: u32 = 3;

#[repr(C)]
pub struct Term {
    low: u32,
    high: u32,
    /// 0 in a free slot.
    weight: u32,
}

#[repr(C)]
pub struct Terms {
    slots: *mut Term,
    /// The slots in use, in order of appearance.
    used: *mut u16,
    size: usize,
    /// Room for the votes about 32 bits.
    votes: *mut u32,
}

#[inline(always)]
unsafe fn slot_at<'a>(terms: &Terms, slot: usize) -> &'a mut Term {
    &mut *from_mut(terms.slots, slot)
}

#[inline(always)]
unsafe fn term(terms: &Terms, number: usize) -> &mut Term {
    slot_at(terms, get(terms.used, number) as usize)
}

pub unsafe fn clear(terms: &mut Terms) {
    let mut number = 0;
    while number < terms.size {
        term(terms, number).weight = 0;
        number += 1;
    }
    terms.size = 0;
}

/// Counts another occurrence of a word, unless it is the first one or not kept.
#[inline(always)]
pub unsafe fn repeat(terms: &Terms, low: u32, high: u32) -> bool {
    let mut slot = low as usize & (SLOTS - 1);
    let mut probe = 0;
    while probe < MAX_PROBES {
        let term = slot_at(terms, slot);
        if term.weight == 0 {
            return false;
        }
        if (term.low == low) & (term.high == high) {
            term.weight = least(term.weight + 1, MAX_WEIGHT);
            return true;
        }
        slot = (slot + 1) & (SLOTS - 1);
        probe += 1;
    }
    false
}

pub unsafe fn add(terms: &mut Terms, low: u32, high: u32, times: u32) {
    let mut slot = low as usize & (SLOTS - 1);
    let mut probe = 0;
    while probe < MAX_PROBES {
        let term = slot_at(terms, slot);
        if term.weight == 0 {
            if terms.size == MAX_TERMS {
                return;
            }
            set(terms.used, terms.size, slot as u16);
            terms.size += 1;
            *term = Term { low, high, weight: least(times, MAX_WEIGHT) };
            return;
        }
        if (term.low == low) & (term.high == high) {
            term.weight = least(term.weight + times, MAX_WEIGHT);
            return;
        }
        slot = (slot + 1) & (SLOTS - 1);
        probe += 1;
    }
}

#[inline(always)]
fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// One half of the sum of the terms, regardless of their order and counts.
pub unsafe fn gist(terms: &Terms, half: unsafe fn(&Term) -> u32) -> u32 {
    let mut sum = terms.size as u32;
    let mut number = 0;
    while number < terms.size {
        sum += half(term(terms, number));
        number += 1;
    }
    sum
}

pub unsafe fn low(term: &Term) -> u32 {
    term.low
}

pub unsafe fn high(term: &Term) -> u32 {
    term.high
}

/// With this many terms of the highest weight, a counter of 8 bits is full.
const BATCH: usize = 85;

/// Sets each bit that the weighted majority of the terms has set.
pub unsafe fn simhash(terms: &Terms, half: unsafe fn(&Term) -> u32) -> u32 {
    let mut bit = 0;
    while bit < 32 {
        set(terms.votes, bit, 0);
        bit += 1;
    }
    let mut total = 0;
    let mut number = 0;
    while number < terms.size {
        let end = if terms.size - number < BATCH { terms.size } else { number + BATCH };
        let (mut first, mut second, mut third, mut fourth) = (0, 0, 0, 0);
        while number < end {
            let term = term(terms, number);
            let hash = half(term);
            let weight = term.weight as u64;
            first += counters(hash) * weight;
            second += counters(hash >> 8) * weight;
            third += counters(hash >> 16) * weight;
            fourth += counters(hash >> 24) * weight;
            total += term.weight;
            number += 1;
        }
        count(terms.votes, 0, first);
        count(terms.votes, 8, second);
        count(terms.votes, 16, third);
        count(terms.votes, 24, fourth);
    }
    let mut result = 0;
    let mut bit = 0;
    while bit < 32 {
        if get(terms.votes, bit) * 2 > total {
            result |= 1 << bit as u32;
        }
        bit += 1;
    }
    result
}

/// Eight counters in one number, each 1 if its bit of the lowest byte is set.
#[inline(always)]
fn counters(bits: u32) -> u64 {
    let own_bits = ((bits & 0xff) as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((own_bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
}

#[inline(always)]
unsafe fn count(votes: *mut u32, first: usize, counters: u64) {
    let mut bit = 0;
    while bit < 8 {
        let votes_so_far = get(votes, first + bit);
        set(votes, first + bit, votes_so_far + ((counters >> (8 * bit) as u64) & 0xff) as u32);
        bit += 1;
    }
}
