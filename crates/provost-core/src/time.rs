//! Points in time as data. Core is handed them and never asks for one, which is why there is no `now` here.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC, written `2026-11-15T19:51:03.250Z`: always 24 characters, so that the
/// spelling sorts as the time does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

const MS_PER_DAY: i64 = 86_400_000;

impl Timestamp {
    /// The beginning of 1970.
    pub const EPOCH: Timestamp = Timestamp(0);

    /// The latest time that the spelling can hold: the end of the year 9999.
    pub const MAX: Timestamp = Timestamp(253_402_300_799_999);

    /// Makes a timestamp from milliseconds since 1970, held to what the spelling can express.
    pub fn from_ms(ms: i64) -> Timestamp {
        Timestamp(ms.clamp(0, Self::MAX.0))
    }

    /// Milliseconds since 1970.
    pub fn as_ms(self) -> i64 {
        self.0
    }

    /// The time `ms` milliseconds later.
    #[must_use]
    pub fn plus_ms(self, ms: u64) -> Timestamp {
        Self::from_ms(self.0.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)))
    }

    /// Milliseconds from `earlier` to this; zero when it is not earlier.
    pub fn since_ms(self, earlier: Timestamp) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// The spelling as bytes.
    pub fn spelling(self) -> [u8; 24] {
        let (year, month, day) = civil_from_days(self.0.div_euclid(MS_PER_DAY));
        let ms = self.0.rem_euclid(MS_PER_DAY);
        let mut out = *b"0000-00-00T00:00:00.000Z";
        let mut put = |from: usize, to: usize, mut value: i64| {
            for digit in out.get_mut(from..to).into_iter().flatten().rev() {
                *digit = b'0'.wrapping_add(u8::try_from(value % 10).unwrap_or(0));
                value /= 10;
            }
        };
        put(0, 4, year);
        put(5, 7, month);
        put(8, 10, day);
        put(11, 13, ms / 3_600_000);
        put(14, 16, ms / 60_000 % 60);
        put(17, 19, ms / 1_000 % 60);
        put(20, 23, ms % 1_000);
        out
    }

    /// Reads the spelling, strictly: no other form, no date that does not exist.
    pub fn parse(text: &[u8]) -> Option<Timestamp> {
        let text: &[u8; 24] = text.try_into().ok()?;
        let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
        if separators.iter().any(|&(at, separator)| text.get(at) != Some(&separator)) {
            return None;
        }
        let number = |from: usize, to: usize| {
            text.get(from..to)?.iter().try_fold(0_i64, |sum, &digit| {
                digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0'))
            })
        };
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second, ms) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
        let exists = year >= 1970
            && (1..=12).contains(&month)
            && (1..=days_of(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        let clock = ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
        exists.then(|| Timestamp(days_from_civil(year, month, day) * MS_PER_DAY + clock))
    }
}

impl Timestamp {
    /// Reads a time of RFC 3339, as other programs write it: any offset, any fraction, from 1970 on.
    ///
    /// What is finer than a millisecond is cut off. Leap seconds are refused, as no clock of ours shows one.
    pub fn from_rfc3339(text: &str) -> Option<Timestamp> {
        let (seconds, rest) = text.split_at_checked(19)?;
        let digits = rest.strip_prefix('.').map(|it| it.bytes().take_while(u8::is_ascii_digit).count());
        let (fraction, offset) = match digits {
            Some(0) => return None,
            Some(len) => rest.strip_prefix('.')?.split_at_checked(len)?,
            None => ("", rest),
        };
        let ms = fraction.get(..fraction.len().min(3))?;
        let spelled = format!("{}.{ms:0<3}Z", seconds.replacen('t', "T", 1));
        let local = Self::parse(spelled.as_bytes())?;
        let utc = local.0 - offset_ms(offset)?;
        (0..=Self::MAX.0).contains(&utc).then_some(Timestamp(utc))
    }
}

/// The milliseconds by which a place is ahead of UTC.
fn offset_ms(offset: &str) -> Option<i64> {
    if matches!(offset, "Z" | "z") {
        return Some(0);
    }
    let &[sign, ten_hours, hours, b':', ten_minutes, minutes] = offset.as_bytes() else { return None };
    let pair = |tens: u8, ones: u8| {
        let both = tens.is_ascii_digit() && ones.is_ascii_digit();
        both.then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
    };
    let (hours, minutes) = (pair(ten_hours, hours)?, pair(ten_minutes, minutes)?);
    let ahead = (hours < 24 && minutes < 60).then_some((hours * 60 + minutes) * 60_000)?;
    match sign {
        b'+' => Some(ahead),
        b'-' => Some(-ahead),
        _ => None,
    }
}

fn days_of(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Howard Hinnant's calendar arithmetic: days since 1970 to year, month, day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let march_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.spelling()).unwrap_or_default())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        Timestamp::parse(text.as_bytes())
            .ok_or_else(|| serde::de::Error::custom("not a UTC time in milliseconds"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times_are_spelled_and_read_back() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_794_772_263_250, "2026-11-15T19:51:03.250Z"),
            (Timestamp::MAX.as_ms(), "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp::from_ms(ms).to_string(), text);
            assert_eq!(Timestamp::parse(text.as_bytes()), Some(Timestamp::from_ms(ms)));
        }
    }

    #[test]
    fn times_of_other_programs() {
        for (text, same) in [
            ("2026-11-15T19:51:03Z", "2026-11-15T19:51:03.000Z"),
            ("2026-11-15t19:51:03z", "2026-11-15T19:51:03.000Z"),
            ("2026-11-15T19:51:03.5Z", "2026-11-15T19:51:03.500Z"),
            ("2026-11-15T19:51:03.123999999Z", "2026-11-15T19:51:03.123Z"),
            ("2026-11-15T19:51:03+00:00", "2026-11-15T19:51:03.000Z"),
            ("2026-11-15T00:51:03+05:30", "2026-11-14T19:21:03.000Z"),
            ("2026-12-31T23:30:00.25-01:00", "2027-01-01T00:30:00.250Z"),
        ] {
            assert_eq!(Timestamp::from_rfc3339(text).unwrap().to_string(), same, "{text}");
        }
        for text in [
            "2026-11-15T19:51:03",
            "2026-11-15 19:51:03Z",
            "2026-11-15T19:51Z",
            "2026-11-15T19:51:03.Z",
            "2026-11-15T19:51:03+0100",
            "2026-11-15T19:51:03+24:00",
            "2026-11-15T19:51:60Z",
            "2026-02-29T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "1970-01-01T00:00:00+01:00",
            "2026-11-15T19:51:0\u{e9}Z",
            "\u{e9}",
        ] {
            assert_eq!(Timestamp::from_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_of_five_centuries_comes_back() {
        for day in 0..182_621 {
            let time = Timestamp::from_ms(day * MS_PER_DAY + day % MS_PER_DAY);
            assert_eq!(Timestamp::parse(&time.spelling()), Some(time), "{time}");
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "2026-02-30T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-11-15T24:00:00.000Z",
            "2026-11-15T19:51:60.000Z",
            "2026-11-15T19:51:03Z",
            "2026-11-15T19:51:03.250+00:00",
            "2026-11-15 19:51:03.250Z",
            "1969-12-31T23:59:59.999Z",
            "2026-02-29T00:00:00.000Z",
            "2026-00-10T00:00:00.000Z",
            "2026-11-00T00:00:00.000Z",
            "2026-11-15T19:60:00.000Z",
            "2026-11-15T19:51:03.25xZ",
            "",
        ] {
            assert_eq!(Timestamp::parse(text.as_bytes()), None, "{text}");
        }
    }
}
