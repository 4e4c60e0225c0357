//! What `dc` computes.

use super::{Machine, Value};
use crate::bc::number::Number;
use num_traits::{Signed, Zero};

impl Machine {
    pub(super) fn arithmetic(&mut self, sign: u8) {
        if sign == b'|' {
            return self.modular();
        }
        let Some((a, b)) = self.pair() else { return };
        let divided = |q: Option<Number>| q.ok_or("divide by zero");
        let result = match sign {
            b'+' => Ok(a.add(&b)),
            b'-' => Ok(a.sub(&b)),
            b'*' => Ok(a.mul(&b, self.scale)),
            b'/' => divided(a.div(&b, self.scale)),
            b'%' => a.rem(&b, self.scale).ok_or("remainder by zero"),
            b'~' => match (a.div(&b, self.scale), a.rem(&b, self.scale)) {
                (Some(q), Some(r)) => {
                    self.stack.push(Value::Number(q));
                    Ok(r)
                }
                _ => Err("divide by zero"),
            },
            _ => a.pow(&b, self.scale),
        };
        match result {
            Ok(n) => self.stack.push(Value::Number(n)),
            Err(message) => {
                self.stack.extend([Value::Number(a), Value::Number(b)]);
                self.complain(message);
            }
        }
    }

    /// Raises to a power modulo a number: takes base, exponent and modulus.
    fn modular(&mut self) {
        let Some(modulus) = self.number() else { return };
        let Some((base, exponent)) = self.pair() else { return };
        let (m, e) = (modulus.with_scale(0).digits, exponent.with_scale(0).digits);
        if m.sign() == num_bigint::Sign::NoSign || e.sign() == num_bigint::Sign::Minus {
            return self.complain("remainder by zero");
        }
        let base = base.with_scale(0).digits;
        // The remainder has the sign of the dividend; any base to the power of 0 is 1, whatever the modulus.
        let digits = match base.modpow(&e, &m.abs()) {
            _ if e.is_zero() => 1.into(),
            rest if base.is_negative() && e.bit(0) && !rest.is_zero() => rest - m.abs(),
            rest => rest,
        };
        self.stack.push(Value::Number(Number { digits, scale: 0 }));
    }
}
