// The operators of Rust and access to memory: all that the kernels need of a core library. The one for WebAssembly is a
// separate download, with these lines any rustc can build the kernels.

#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "destruct"]
pub trait Destruct: PointeeSized {}
#[lang = "freeze"]
pub unsafe auto trait Freeze {}
#[lang = "unpin"]
pub auto trait Unpin {}
#[lang = "unsafe_unpin"]
pub unsafe auto trait UnsafeUnpin {}
#[lang = "legacy_receiver"]
pub trait LegacyReceiver {}
impl<T: PointeeSized> LegacyReceiver for &T {}
impl<T: PointeeSized> LegacyReceiver for &mut T {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for bool {}
impl<T: Copy, const N: usize> Copy for [T; N] {}
impl<T> Copy for *const T {}
impl<T> Copy for *mut T {}

#[lang = "eq"]
pub trait PartialEq<Rhs = Self> {
    fn eq(&self, other: &Rhs) -> bool;
    fn ne(&self, other: &Rhs) -> bool;
}

#[lang = "partial_ord"]
pub trait PartialOrd<Rhs = Self> {
    fn lt(&self, other: &Rhs) -> bool;
    fn le(&self, other: &Rhs) -> bool;
    fn gt(&self, other: &Rhs) -> bool;
    fn ge(&self, other: &Rhs) -> bool;
}

macro_rules! operator {
    ($lang:literal $name:ident $method:ident $symbol:tt: $($number:ty)*) => {
        #[lang = $lang]
        pub trait $name<Rhs = Self> {
            type Output;
            fn $method(self, other: Rhs) -> Self::Output;
        }
        $(impl $name for $number {
            type Output = $number;
            #[inline(always)]
            fn $method(self, other: $number) -> $number {
                self $symbol other
            }
        })*
    };
}

macro_rules! assignment {
    ($lang:literal $name:ident $method:ident $symbol:tt: $($number:ty)*) => {
        #[lang = $lang]
        pub trait $name<Rhs = Self> {
            fn $method(&mut self, other: Rhs);
        }
        $(impl $name for $number {
            #[inline(always)]
            fn $method(&mut self, other: $number) {
                *self $symbol other
            }
        })*
    };
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(
            impl Copy for $number {}
            impl PartialEq for $number {
                #[inline(always)]
                fn eq(&self, other: &$number) -> bool {
                    *self == *other
                }
                #[inline(always)]
                fn ne(&self, other: &$number) -> bool {
                    *self != *other
                }
            }
            impl PartialOrd for $number {
                #[inline(always)]
                fn lt(&self, other: &$number) -> bool {
                    *self < *other
                }
                #[inline(always)]
                fn le(&self, other: &$number) -> bool {
                    *self <= *other
                }
                #[inline(always)]
                fn gt(&self, other: &$number) -> bool {
                    *self > *other
                }
                #[inline(always)]
                fn ge(&self, other: &$number) -> bool {
                    *self >= *other
                }
            }
        )*
    };
}

numbers! { u8 u16 u32 i32 u64 usize f32 f64 }
operator! { "add" Add add +: u32 i32 u64 usize f64 }
operator! { "sub" Sub sub -: u32 i32 u64 usize }
operator! { "mul" Mul mul *: u32 i32 u64 usize }
operator! { "bitand" BitAnd bitand &: bool u32 u64 usize }
operator! { "bitor" BitOr bitor |: bool u32 u64 usize }
operator! { "bitxor" BitXor bitxor ^: u32 }
operator! { "shl" Shl shl <<: u32 u64 usize }
operator! { "shr" Shr shr >>: u32 u64 usize }
assignment! { "add_assign" AddAssign add_assign +=: u32 i32 u64 usize f64 }
assignment! { "sub_assign" SubAssign sub_assign -=: usize }
assignment! { "mul_assign" MulAssign mul_assign *=: u32 }
assignment! { "bitand_assign" BitAndAssign bitand_assign &=: u32 u64 }
assignment! { "bitor_assign" BitOrAssign bitor_assign |=: bool u32 }
assignment! { "bitxor_assign" BitXorAssign bitxor_assign ^=: u32 }

#[lang = "not"]
pub trait Not {
    type Output;
    fn not(self) -> Self::Output;
}
impl Not for bool {
    type Output = bool;
    #[inline(always)]
    fn not(self) -> bool {
        !self
    }
}
impl Not for u32 {
    type Output = u32;
    #[inline(always)]
    fn not(self) -> u32 {
        !self
    }
}

#[lang = "neg"]
pub trait Neg {
    type Output;
    fn neg(self) -> Self::Output;
}
impl Neg for i32 {
    type Output = i32;
    #[inline(always)]
    fn neg(self) -> i32 {
        -self
    }
}

/// The number of zero bits below the lowest one.
#[rustc_intrinsic]
pub fn cttz<T: Copy>(bits: T) -> u32;

/// Four numbers at a time. Comparisons give all ones or all zeros.
#[repr(simd)]
pub struct Four<T>([T; 4]);
impl<T: Copy> Copy for Four<T> {}

#[inline(always)]
pub fn four<T: Copy>(value: T) -> Four<T> {
    Four([value, value, value, value])
}

#[inline(always)]
pub fn four_of<T>(a: T, b: T, c: T, d: T) -> Four<T> {
    Four([a, b, c, d])
}

#[rustc_intrinsic]
pub unsafe fn simd_le<T, U>(left: T, right: T) -> U;
#[rustc_intrinsic]
pub unsafe fn simd_and<T>(left: T, right: T) -> T;
#[rustc_intrinsic]
pub unsafe fn simd_or<T>(left: T, right: T) -> T;
#[rustc_intrinsic]
pub unsafe fn simd_reduce_all<T>(conditions: T) -> bool;

#[rustc_intrinsic]
unsafe fn offset<P, D>(pointer: P, elements: D) -> P;

#[inline(always)]
pub unsafe fn from<T>(start: *const T, at: usize) -> *const T {
    offset(start, at)
}

#[inline(always)]
pub unsafe fn from_mut<T>(start: *mut T, at: usize) -> *mut T {
    offset(start, at)
}

#[inline(always)]
pub unsafe fn get<T: Copy>(start: *const T, at: usize) -> T {
    *offset(start, at)
}

#[inline(always)]
pub unsafe fn set<T: Copy>(start: *mut T, at: usize, value: T) {
    *offset(start, at) = value
}
