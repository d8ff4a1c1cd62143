//! Numbers as ECMAScript writes them, apart because writer and reader must agree on which numbers survive.

use super::NotCanonical;

/// The largest integer that a double and every reader of JSON hold exactly.
pub(crate) const INTEGER_MAX: i64 = (1 << 53) - 1;

/// Where ECMAScript goes over to exponents, and a whole number stops looking like an integer.
const EXPONENT_FROM: f64 = 1e21;

/// Appends an integer.
pub(super) fn write_integer(
    out: &mut Vec<u8>,
    integer: impl itoa::Integer + TryInto<i64> + Copy,
) -> Result<(), NotCanonical> {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(integer);
    match integer.try_into() {
        Ok(value) if (-INTEGER_MAX..=INTEGER_MAX).contains(&value) => {
            out.extend_from_slice(digits.as_bytes());
            Ok(())
        }
        _ => Err(NotCanonical::Integer(digits.to_owned())),
    }
}

/// Appends a double; one that would be written as an integer beyond the range of integers is refused like it.
pub(super) fn write_checked_double(out: &mut Vec<u8>, double: f64) -> Result<(), NotCanonical> {
    if !double.is_finite() {
        return Err(NotCanonical::NotFinite);
    }
    let start = out.len();
    write_double(out, double);
    if written_as_unsafe_integer(double) {
        let written = String::from_utf8_lossy(out.get(start..).unwrap_or_default()).into_owned();
        return Err(NotCanonical::Integer(written));
    }
    Ok(())
}

/// Appends a finite double as ECMAScript writes it.
pub(crate) fn write_double(out: &mut Vec<u8>, double: f64) {
    out.extend_from_slice(ryu_js::Buffer::new().format_finite(double).as_bytes());
}

/// Tells whether the canonical form of a double is an integer that no reader has to hold exactly.
pub(crate) fn written_as_unsafe_integer(double: f64) -> bool {
    // Doubles from 2^53 on are all whole numbers.
    const FIRST_UNSAFE: f64 = 9_007_199_254_740_992.0;
    (FIRST_UNSAFE..EXPONENT_FROM).contains(&double.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appendix B of the RFC, and the edges around it: the bits of a double and its text.
    const TABLE: &[(u64, &str)] = &[
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        (0x433f_ffff_ffff_ffff, "9007199254740991"),
        (0x3ff0_0000_0000_0000, "1"),
        (0x3fe0_0000_0000_0000, "0.5"),
        (0x4012_0000_0000_0000, "4.5"),
        (0x3f60_624d_d2f1_a9fc, "0.002"),
        (0x3fb9_9999_9999_999a, "0.1"),
        (0x3fd3_3333_3333_3334, "0.30000000000000004"),
        (0x4629_3e59_39a0_8cea, "1e+30"),
        (0x3a53_ce9a_36f2_3c10, "1e-27"),
        (0x000f_ffff_ffff_ffff, "2.225073858507201e-308"),
        (0x0010_0000_0000_0000, "2.2250738585072014e-308"),
    ];

    #[test]
    fn doubles_as_in_the_rfc() {
        for &(bits, text) in TABLE {
            let mut out = Vec::new();
            write_double(&mut out, f64::from_bits(bits));
            assert_eq!(String::from_utf8(out).unwrap(), text, "{bits:016x}");
        }
    }

    #[test]
    fn integers_beyond_the_safe_ones_are_refused_in_both_shapes() {
        let mut out = Vec::new();
        write_integer(&mut out, INTEGER_MAX).unwrap();
        out.push(b' ');
        write_integer(&mut out, -INTEGER_MAX).unwrap();
        assert_eq!(out, b"9007199254740991 -9007199254740991");
        assert_eq!(
            write_integer(&mut out, INTEGER_MAX + 1),
            Err(NotCanonical::Integer("9007199254740992".to_owned()))
        );
        assert!(write_integer(&mut out, -INTEGER_MAX - 1).is_err());
        assert!(write_integer(&mut out, u64::MAX).is_err());
        assert!(write_integer(&mut out, i128::MIN).is_err());

        let refused =
            [9_007_199_254_740_992.0, -9_007_199_254_740_992.0, 1e17, 999_999_999_999_999_900_000.0];
        for double in refused {
            assert!(
                matches!(write_checked_double(&mut out, double), Err(NotCanonical::Integer(_))),
                "{double}"
            );
        }
        for double in [9_007_199_254_740_991.0, 1e21, -1e300, f64::MIN_POSITIVE] {
            assert_eq!(write_checked_double(&mut out, double), Ok(()), "{double}");
        }
        for double in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(write_checked_double(&mut out, double), Err(NotCanonical::NotFinite), "{double}");
        }
    }
}
