//! How much of a device's memory may be used.

use std::str::FromStr;

use thiserror::Error;

/// With less memory than this nothing useful can be done.
pub const LEAST: usize = 1 << 20;

/// How much of a device may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Room {
    /// A part of what is free.
    Share(f64),
    /// Bytes.
    Bytes(usize),
}

impl Default for Room {
    fn default() -> Room {
        Room::Share(0.8)
    }
}

impl Room {
    /// How many bytes that is, where so many are free.
    pub fn bytes(self, free: usize) -> usize {
        match self {
            Room::Share(part) => (free as f64 * part) as usize,
            Room::Bytes(bytes) => bytes.min(free),
        }
    }

    /// An equal part of it for each of so many.
    #[must_use]
    pub fn shared_by(self, many: usize) -> Room {
        match self {
            Room::Share(part) => Room::Share(part / many.max(1) as f64),
            Room::Bytes(bytes) => Room::Bytes(bytes / many.max(1)),
        }
    }

    /// As much as so many have together.
    #[must_use]
    pub fn times(self, many: usize) -> Room {
        match self {
            Room::Share(part) => Room::Share((part * many as f64).min(1.0)),
            Room::Bytes(bytes) => Room::Bytes(bytes.saturating_mul(many)),
        }
    }
}

/// What is no amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoRoom {
    /// It cannot be read.
    #[error("a share such as 50% or bytes such as 8GiB are needed")]
    Unreadable,
    /// A share that is nothing, or more than all.
    #[error("a share is more than 0% and at most 100%")]
    NoShare,
    /// Too little to do anything.
    #[error("at least 1MiB is needed")]
    TooLittle,
}

/// The units that bytes are counted in. The longer ones first: `B` ends all of them.
const UNITS: [(&str, f64); 9] = [
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("B", 1.0),
];

impl FromStr for Room {
    type Err = NoRoom;

    fn from_str(text: &str) -> Result<Room, NoRoom> {
        let text = text.trim();
        if let Some(percent) = text.strip_suffix('%') {
            return share(number(percent)? / 100.0);
        }
        let unit = UNITS.iter().find_map(|(unit, size)| {
            let at = text.len().checked_sub(unit.len())?;
            let end = text.get(at..)?;
            end.eq_ignore_ascii_case(unit).then(|| (&text[..at], *size))
        });
        match unit {
            Some((count, size)) => bytes(number(count)? * size),
            // 0.5 is half of it; 1 would be all of it or a byte.
            None if text.contains('.') => share(number(text)?),
            None => bytes(number(text)?),
        }
    }
}

fn number(text: &str) -> Result<f64, NoRoom> {
    let number: f64 = text.trim().parse().map_err(|_| NoRoom::Unreadable)?;
    if number.is_finite() { Ok(number) } else { Err(NoRoom::Unreadable) }
}

fn share(part: f64) -> Result<Room, NoRoom> {
    if part > 0.0 && part <= 1.0 { Ok(Room::Share(part)) } else { Err(NoRoom::NoShare) }
}

fn bytes(count: f64) -> Result<Room, NoRoom> {
    if count >= LEAST as f64 { Ok(Room::Bytes(count as usize)) } else { Err(NoRoom::TooLittle) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_bytes_are_read() {
        for (text, room) in [
            ("50%", Room::Share(0.5)),
            ("100 %", Room::Share(1.0)),
            ("12.5%", Room::Share(0.125)),
            ("0.8", Room::Share(0.8)),
            ("1.0", Room::Share(1.0)),
            ("8GiB", Room::Bytes(8 << 30)),
            ("8 gib", Room::Bytes(8 << 30)),
            ("1.5GB", Room::Bytes(1_500_000_000)),
            ("512MiB", Room::Bytes(512 << 20)),
            ("2000000", Room::Bytes(2_000_000)),
            ("2000000B", Room::Bytes(2_000_000)),
        ] {
            assert_eq!(text.parse(), Ok(room), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_told() {
        for (text, why) in [
            ("", NoRoom::Unreadable),
            ("%", NoRoom::Unreadable),
            ("much", NoRoom::Unreadable),
            ("GiB", NoRoom::Unreadable),
            ("nan%", NoRoom::Unreadable),
            ("8G", NoRoom::Unreadable),
            ("½GiB", NoRoom::Unreadable),
            ("0%", NoRoom::NoShare),
            ("101%", NoRoom::NoShare),
            ("-5%", NoRoom::NoShare),
            ("1.5", NoRoom::NoShare),
            ("0", NoRoom::TooLittle),
            ("-8GiB", NoRoom::TooLittle),
            ("100KiB", NoRoom::TooLittle),
        ] {
            assert_eq!(text.parse::<Room>(), Err(why), "{text}");
        }
    }

    #[test]
    fn room_is_cut_to_what_is_free() {
        assert_eq!(Room::Share(0.5).bytes(100), 50);
        assert_eq!(Room::Bytes(70).bytes(100), 70);
        assert_eq!(Room::Bytes(700).bytes(100), 100);
        assert_eq!(Room::Bytes(700).shared_by(2), Room::Bytes(350));
        assert_eq!(Room::Share(0.8).shared_by(2), Room::Share(0.4));
        assert_eq!(Room::Bytes(350).times(2), Room::Bytes(700));
        assert_eq!(Room::Share(0.4).times(2), Room::Share(0.8));
    }
}
