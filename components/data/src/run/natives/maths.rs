//! Mathematics.

use super::{Entry, Run};
use crate::json::{Val, type_error};
use crate::run::{Context, Error};

macro_rules! one {
    ($name:literal, $function:expr) => {
        ($name, 0, |_, v, _| {
            let function: fn(f64) -> f64 = $function;
            Ok(Val::Num(function(number(&v)?)))
        })
    };
}

macro_rules! two {
    ($name:literal, $function:expr) => {
        ($name, 2, |_, _, args| {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(Val::Num(function(number(&args[0])?, number(&args[1])?)))
        })
    };
}

pub(super) const TABLE: &[Entry] = &[
    one!("floor", f64::floor),
    one!("ceil", f64::ceil),
    one!("round", f64::round),
    one!("trunc", f64::trunc),
    one!("rint", libm::rint),
    one!("nearbyint", libm::rint),
    one!("sqrt", f64::sqrt),
    one!("cbrt", libm::cbrt),
    one!("fabs", f64::abs),
    one!("exp", libm::exp),
    one!("exp2", libm::exp2),
    one!("exp10", libm::exp10),
    one!("pow10", libm::exp10),
    one!("expm1", libm::expm1),
    one!("log", libm::log),
    one!("log2", libm::log2),
    one!("log10", libm::log10),
    one!("log1p", libm::log1p),
    one!("logb", |x| if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        f64::from(libm::ilogb(x))
    } else {
        x * x
    }),
    one!("significand", |x| if x == 0.0 || !x.is_finite() { x } else { libm::scalbn(x, -libm::ilogb(x)) }),
    one!("gamma", libm::lgamma),
    one!("lgamma", libm::lgamma),
    one!("tgamma", libm::tgamma),
    one!("sin", libm::sin),
    one!("cos", libm::cos),
    one!("tan", libm::tan),
    one!("asin", libm::asin),
    one!("acos", libm::acos),
    one!("atan", libm::atan),
    one!("sinh", libm::sinh),
    one!("cosh", libm::cosh),
    one!("tanh", libm::tanh),
    one!("asinh", libm::asinh),
    one!("acosh", libm::acosh),
    one!("atanh", libm::atanh),
    one!("j0", libm::j0),
    one!("j1", libm::j1),
    one!("y0", libm::y0),
    one!("y1", libm::y1),
    two!("pow", libm::pow),
    two!("atan2", libm::atan2),
    two!("fmod", libm::fmod),
    two!("fmin", libm::fmin),
    two!("fmax", libm::fmax),
    two!("fdim", libm::fdim),
    two!("hypot", libm::hypot),
    two!("copysign", libm::copysign),
    two!("drem", libm::remainder),
    two!("nextafter", libm::nextafter),
    two!("nexttoward", libm::nextafter),
    two!("ldexp", scale),
    two!("scalb", scale),
    two!("scalbln", scale),
    ("fma", 3, |_, _, args| Ok(Val::Num(libm::fma(number(&args[0])?, number(&args[1])?, number(&args[2])?)))),
    ("frexp", 0, |_, v, _| {
        let (fraction, exponent) = libm::frexp(number(&v)?);
        Ok(pair(fraction, f64::from(exponent)))
    }),
    ("modf", 0, |_, v, _| {
        let x = number(&v)?;
        let (fraction, whole) = if x.is_infinite() { (0.0_f64.copysign(x), x) } else { libm::modf(x) };
        Ok(pair(fraction, whole))
    }),
    ("lgamma_r", 0, |_, v, _| {
        let (value, sign) = libm::lgamma_r(number(&v)?);
        Ok(pair(value, f64::from(sign)))
    }),
    ("infinite", 0, |_, _, _| Ok(Val::Num(f64::INFINITY))),
    ("nan", 0, |_, _, _| Ok(Val::Num(f64::NAN))),
    ("isnan", 0, |_, v, _| Ok(Val::Bool(number(&v)?.is_nan()))),
    ("isinfinite", 0, |_, v, _| Ok(Val::Bool(number(&v)?.is_infinite()))),
    ("isnormal", 0, |_, v, _| Ok(Val::Bool(number(&v)?.is_normal()))),
    ("isfinite", 0, is_finite),
];

fn number(val: &Val) -> Result<f64, Error> {
    val.number().ok_or_else(|| type_error(val, "number required").into())
}

fn pair(a: f64, b: f64) -> Val {
    Val::arr(vec![Val::Num(a), Val::Num(b)])
}

fn scale(x: f64, n: f64) -> f64 {
    // Casts saturate: far beyond what a double can hold.
    libm::scalbn(x, n as i32)
}

fn is_finite(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    Ok(Val::Bool(val.number().is_some_and(|n| !n.is_infinite())))
}
