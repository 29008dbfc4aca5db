// The loops that the transform spends most of its time in, as one WebAssembly module. They allocate nothing: their callers
// lay out the memory. `node scripts/kernel/build.ts` builds it.
#![no_core]
#![feature(auto_traits, intrinsics, lang_items, no_core, repr_simd, rustc_attrs)]
#![allow(internal_features, dead_code)]

mod characters;
mod core;
mod dates;
mod fingerprint;
mod terms;
mod trees;
