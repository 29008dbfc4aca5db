// Gradient-boosted trees. No tree is followed from its root: conditions are checked column by column, and each one that a
// row fails rules out leaves of its tree (QuickScorer, Lucchese et al. 2015), for four rows at a time.
use crate::core::*;

/// A row goes left if its value in the column is at most the threshold.
#[repr(C)]
struct Condition {
    threshold: f32,
    tree: usize,
    /// One bit for each leaf of the tree that is not on the left of this condition.
    not_left: u32,
}
impl Copy for Condition {}

/// The conditions of the n-th column with conditions are [start[n], start[n + 1]), by ascending threshold. Tree t votes for
/// class t % classes.
#[repr(C)]
pub struct Ensemble {
    columns: *const usize,
    start: *const usize,
    conditions: *const Condition,
    first_leaf: *const usize,
    leaves: *const f32,
    trees: usize,
    classes: usize,
    /// For each tree, the leaves that the columns leave possible that have the same values in all rows.
    shared: *mut u32,
    /// For each tree, the leaves that are possible for each of four rows.
    possible: *mut Four<u32>,
}

/// Looks at the columns with the numbers [first, last), which have the same values in all rows.
#[export_name = "ruleOutShared"]
pub unsafe extern "C" fn rule_out_shared(ensemble: &Ensemble, row: *const f32, first: usize, last: usize) {
    let mut tree = 0;
    while tree < ensemble.trees {
        set(ensemble.shared, tree, 0xffff_ffff);
        tree += 1;
    }
    let mut number = first;
    while number < last {
        let value = get(row, get(ensemble.columns, number));
        let end = get(ensemble.start, number + 1);
        let mut at = get(ensemble.start, number);
        while at < end {
            let Condition { threshold, tree, not_left } = get(ensemble.conditions, at);
            // Thresholds ascend: the first condition that holds ends the search.
            if value <= threshold {
                break;
            }
            set(ensemble.shared, tree, get(ensemble.shared, tree) & not_left);
            at += 1;
        }
        number += 1;
    }
}

/// Writes a score for each row and class. `own` is the number of columns that are not shared. Rows after the last, up to a
/// multiple of four, are scored in vain.
#[export_name = "scoreRows"]
pub unsafe extern "C" fn score_rows(
    ensemble: &Ensemble,
    rows: *const f32,
    width: usize,
    count: usize,
    own: usize,
    scores: *mut f64,
) {
    let mut row = 0;
    while row < count {
        rule_out(ensemble, from(rows, row * width), width, own);
        add_leaves(ensemble, from_mut(scores, row * ensemble.classes));
        row += 4;
    }
}

#[inline(always)]
unsafe fn rule_out(ensemble: &Ensemble, rows: *const f32, width: usize, own: usize) {
    let mut tree = 0;
    while tree < ensemble.trees {
        set(ensemble.possible, tree, four(get(ensemble.shared, tree)));
        tree += 1;
    }
    let mut number = 0;
    while number < own {
        let first = from(rows, get(ensemble.columns, number));
        let values = four_of(get(first, 0), get(first, width), get(first, 2 * width), get(first, 3 * width));
        let end = get(ensemble.start, number + 1);
        let mut at = get(ensemble.start, number);
        while at < end {
            let Condition { threshold, tree, not_left } = get(ensemble.conditions, at);
            let holds: Four<u32> = simd_le(values, four(threshold));
            if simd_reduce_all(holds) {
                break;
            }
            let left = simd_or(holds, four(not_left));
            set(ensemble.possible, tree, simd_and(get(ensemble.possible, tree), left));
            at += 1;
        }
        number += 1;
    }
}

#[inline(always)]
unsafe fn add_leaves(ensemble: &Ensemble, scores: *mut f64) {
    let classes = ensemble.classes;
    let mut at = 0;
    while at < 4 * classes {
        set(scores, at, 0.0);
        at += 1;
    }
    let possible = ensemble.possible as *const u32;
    let mut class = 0;
    let mut tree = 0;
    while tree < ensemble.trees {
        let leaves = from(ensemble.leaves, get(ensemble.first_leaf, tree));
        let mut row = 0;
        while row < 4 {
            // The leftmost leaf that is still possible is the one that the row reaches.
            let leaf = cttz(get(possible, 4 * tree + row)) as usize;
            let at = row * classes + class;
            set(scores, at, get(scores, at) + get(leaves, leaf) as f64);
            row += 1;
        }
        tree += 1;
        class += 1;
        if class == classes {
            class = 0;
        }
    }
}
