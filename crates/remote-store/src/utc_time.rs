//! Universal time as text, as S3 has it: `20261128T093000Z` in requests, `2026-11-28T09:30:00.000Z` in answers.
//!
//! Days are turned into dates in years that begin in March, so that the day which some years have more is the last one (Howard Hinnant,
//! "chrono-Compatible Low-Level Date Algorithms").
//!
//! **Direction of error.** A time that cannot be read is unknown; times before 1970 are those of 1970.

use std::time::{Duration, SystemTime};

const DAY: u64 = 86_400;

/// A time as `YYYYMMDDThhmmssZ`.
pub fn basic(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, second) = (seconds / DAY, seconds % DAY);
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day_of_year + 2) / 153;
    let date = day_of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}{month:02}{date:02}T{:02}{:02}{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// The time of a text that begins like `YYYY-MM-DDThh:mm:ss`.
pub fn parsed(text: &str) -> Option<SystemTime> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, date) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&date) {
        return None;
    }
    let shifted = year - u64::from(month <= 2);
    let (era, year) = (shifted / 400, shifted % 400);
    let march = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * march + 2) / 5 + date - 1;
    let days = (era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year).checked_sub(719_468)?;
    let seconds = days * DAY + hour * 3600 + minute * 60 + second;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read() {
        for (seconds, text) in
            [(0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (1_369_353_600, "20130524T000000Z")]
        {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(basic(time), text);
        }
        // Each day of 140 years, both ways.
        for day in 0..51_000 {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(day * DAY + 3_661);
            let text = basic(time);
            let long = format!("{}-{}-{}T01:01:01.000Z", &text[..4], &text[4..6], &text[6..8]);
            assert_eq!(parsed(&long), Some(time), "{long}");
        }
        assert_eq!(parsed("yesterday"), None);
        assert_eq!(parsed("2026-13-01T00:00:00Z"), None);
    }
}
