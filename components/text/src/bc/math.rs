//! The library of `bc -l`: sine, cosine, arc tangent, logarithm, exponential, Bessel functions.

use super::number::Number;
use std::cmp::Ordering;

/// Parses a function of the library, with a result of `scale` places.
pub(super) fn function(name: &str, args: &[Number], scale: usize) -> Option<Number> {
    let result = match (name, args) {
        ("e", [x]) => exp(x, scale + 6),
        // The logarithm of zero or less is a very negative number.
        ("l", [x]) if x.compare(&Number::zero()) != Ordering::Greater => Number { digits: 1 - super::number::ten(scale), scale: 0 },
        ("l", [x]) => ln(x, scale + 6),
        ("s", [x]) => sin(x, scale + 6),
        // 1 - 2 sin²(x/2) is exact where the result is 1.
        ("c", [x]) => {
            let inner = scale + 8;
            let half = sin(&div(x, &Number::int(2), inner + x.scale), inner);
            Number::int(1).sub(&half.mul(&half, inner).mul(&Number::int(2), inner))
        }
        ("a", [x]) => atan(x, scale + 6),
        ("j", [n, x]) => bessel(n, x, scale + 6),
        _ => return None,
    };
    Some(result.with_scale(scale))
}

fn div(a: &Number, b: &Number, scale: usize) -> Number {
    a.div(b, scale).unwrap_or_else(Number::zero)
}

/// Adds terms until they are zero.
fn series(mut sum: Number, scale: usize, mut next: impl FnMut(i64) -> Number) -> Number {
    for n in 1.. {
        let term = next(n).with_scale(scale);
        if term.is_zero() {
            break;
        }
        sum = sum.add(&term);
    }
    sum
}

fn exp(x: &Number, scale: usize) -> Number {
    if x.compare(&Number::zero()) == Ordering::Less {
        let positive = exp(&x.neg(), scale + x.length() + 4);
        return div(&Number::int(1), &positive, scale);
    }
    // Halve until it is small, then square as often.
    let mut small = x.with_scale(x.scale.max(scale));
    let mut halvings = 0_usize;
    while small.compare(&Number::int(1)) == Ordering::Greater {
        small = div(&small, &Number::int(2), small.scale + 1);
        halvings += 1;
    }
    let inner = scale + halvings + x.length() + 4 + x.to_i64().unwrap_or(0).min(1_000_000) as usize / 2;
    let small = small.with_scale(inner);
    let mut term = Number::int(1);
    let mut result = series(Number::int(1).with_scale(inner), inner, |n| {
        term = div(&term.mul(&small, inner).with_scale(inner), &Number::int(n), inner);
        term.clone()
    });
    for _ in 0..halvings {
        result = result.mul(&result, inner).with_scale(inner);
    }
    result
}

fn ln(x: &Number, scale: usize) -> Number {
    let inner = scale + 6;
    // Take roots until it is near one, then double as often.
    let (two, half) = (Number::int(2), Number { digits: 5.into(), scale: 1 });
    let mut y = x.with_scale(x.scale.max(inner));
    let mut doublings = 0_u32;
    while y.compare(&two) != Ordering::Less || y.compare(&half) != Ordering::Greater {
        y = y.sqrt(inner + 10).unwrap_or_else(Number::zero);
        doublings += 1;
    }
    let inner = inner + doublings as usize;
    let ratio = div(&y.sub(&Number::int(1)), &y.add(&Number::int(1)), inner);
    let square = ratio.mul(&ratio, inner).with_scale(inner);
    let mut power = ratio.clone();
    let sum = series(ratio, inner, |n| {
        power = power.mul(&square, inner).with_scale(inner);
        div(&power, &Number::int(2 * n + 1), inner)
    });
    sum.mul(&Number { digits: num_bigint::BigInt::from(2).pow(doublings + 1), scale: 0 }, inner)
}

fn atan(x: &Number, scale: usize) -> Number {
    if x.compare(&Number::zero()) == Ordering::Less {
        return atan(&x.neg(), scale).neg();
    }
    let inner = scale + 8;
    let one = Number::int(1);
    if x.compare(&one) == Ordering::Greater {
        let inverse = div(&one, x, inner + x.length());
        return half_pi(inner).sub(&atan(&inverse, inner));
    }
    // Use atan(x) = 2 atan(x / (1 + sqrt(1 + x²))) until x is small.
    let mut y = x.with_scale(x.scale.max(inner));
    let mut doublings = 0_u32;
    let small = Number { digits: 1.into(), scale: 1 };
    while y.compare(&small) == Ordering::Greater {
        let root = one.add(&y.mul(&y, inner)).sqrt(inner).unwrap_or_else(Number::zero);
        y = div(&y, &one.add(&root), inner);
        doublings += 1;
    }
    let square = y.mul(&y, inner).with_scale(inner).neg();
    let mut power = y.clone();
    let sum = series(y, inner, |n| {
        power = power.mul(&square, inner).with_scale(inner);
        div(&power, &Number::int(2 * n + 1), inner)
    });
    sum.mul(&Number { digits: num_bigint::BigInt::from(2).pow(doublings), scale: 0 }, inner)
}

/// Returns half of pi, by Machin's formula.
fn half_pi(scale: usize) -> Number {
    let inner = scale + 6;
    let inverse = |n: i64| {
        let mut power = div(&Number::int(1), &Number::int(n), inner);
        let square = Number::int(-n * n);
        series(power.clone(), inner, |k| {
            power = div(&power, &square, inner);
            div(&power, &Number::int(2 * k + 1), inner)
        })
    };
    let quarter = inverse(5).mul(&Number::int(4), inner).sub(&inverse(239));
    quarter.mul(&Number::int(2), inner).with_scale(scale)
}

fn sin(x: &Number, scale: usize) -> Number {
    let inner = scale + x.length() + 6;
    let half = half_pi(inner + x.length());
    let two_pi = half.mul(&Number::int(4), inner);
    // Reduce it to one turn around zero.
    let turns = div(x, &two_pi, 0);
    let y = x.sub(&turns.mul(&two_pi, inner)).with_scale(inner);
    let square = y.mul(&y, inner).with_scale(inner).neg();
    let mut term = y.clone();
    series(y, inner, |n| {
        term = div(&term.mul(&square, inner).with_scale(inner), &Number::int(2 * n * (2 * n + 1)), inner);
        term.clone()
    })
}

fn bessel(order: &Number, x: &Number, scale: usize) -> Number {
    let mut n = order.to_i64().unwrap_or(0);
    let odd = n < 0 && n % 2 != 0;
    n = n.abs();
    let inner = scale + x.length() * 2 + 8;
    let half = div(x, &Number::int(2), inner);
    let mut first = Number::int(1).with_scale(inner);
    for k in 1..=n {
        first = div(&first.mul(&half, inner).with_scale(inner), &Number::int(k), inner);
    }
    let square = half.mul(&half, inner).with_scale(inner).neg();
    let mut term = first.clone();
    let sum = series(first, inner, |k| {
        term = div(&term.mul(&square, inner).with_scale(inner), &Number::int(k * (n + k)), inner);
        term.clone()
    });
    if odd { sum.neg() } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_exact() {
        let f = |name: &str, x: &str| function(name, &[Number::parse(x, 10)], 20).unwrap().show(10);
        assert_eq!(f("e", "1"), "2.71828182845904523536");
        assert_eq!(f("l", "2"), ".69314718055994530941");
        assert_eq!(f("a", "1"), ".78539816339744830961");
        assert_eq!(f("s", "1"), ".84147098480789650665");
        assert_eq!(f("c", "0"), "1.00000000000000000000");
    }
}
