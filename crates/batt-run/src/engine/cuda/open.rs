//! Which devices are used, and opening them.

use std::str::FromStr;
use std::sync::Arc;

use batt_cuda::driver;
use batt_ptx::Emulator;
use thiserror::Error;

use super::{Cuda, Device, Failure, Room};
use crate::tasks::cache_folder;

/// Which devices to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// The first.
    #[default]
    First,
    /// All there are.
    All,
    /// These; one that is named twice is used as if it were two.
    These(Vec<usize>),
}

/// What is no list of devices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} names no devices: cuda, cuda:all and cuda:0,1 do")]
pub struct NoList(String);

impl FromStr for Which {
    type Err = NoList;

    fn from_str(text: &str) -> Result<Which, NoList> {
        let wrong = || NoList(text.to_string());
        match text.strip_prefix("cuda").ok_or_else(wrong)? {
            "" => Ok(Which::First),
            ":all" => Ok(Which::All),
            list => {
                let numbers = list.strip_prefix(':').ok_or_else(wrong)?.split(',');
                let numbers: Result<Vec<usize>, _> = numbers.map(str::parse).collect();
                numbers.map(Which::These).map_err(|_| wrong())
            }
        }
    }
}

/// Streams of a device that work side by side, each with a thread of the host.
const STREAMS: usize = 16;
/// With less memory than this for each, fewer streams do.
const STREAM_ROOM: usize = 1 << 30;

/// Opens devices, with cores beside them.
pub fn open(which: &Which, room: Room) -> Result<Cuda, Failure> {
    let found = driver::devices()?;
    if found.is_empty() {
        return Err(Failure::NoDevice);
    }
    let numbers = match which {
        Which::First => vec![0],
        Which::All => (0..found.len()).collect(),
        Which::These(numbers) => numbers.clone(),
    };
    let cache = cache_folder().ok();
    // One that is named twice shares its memory with itself.
    let most = numbers.iter().map(|n| numbers.iter().filter(|m| *m == n).count()).max();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut machines: Vec<Vec<Arc<dyn Device>>> = Vec::new();
    let mut least = usize::MAX;
    for number in &numbers {
        let device = driver::Cuda::open(*number, cache.as_deref())?;
        let bytes = room.bytes(device.free_memory()?) / most.unwrap_or(1);
        let streams = (bytes / STREAM_ROOM).clamp(1, STREAMS.min(2 * cores));
        least = least.min(bytes / streams);
        let mut beside: Vec<Arc<dyn Device>> = Vec::new();
        for _ in 1..streams {
            beside.push(Arc::new(device.beside()?));
        }
        beside.push(Arc::new(device));
        machines.push(beside);
    }
    // The others start kernels and wait for them.
    let beside = cores.div_ceil(2);
    Ok(Cuda::with_streams(machines, Room::Bytes(least)).with_cores(beside))
}

/// Memory of the emulated device.
const EMULATED: usize = 1 << 28;

/// The engine on a device that this CPU plays: slow, and exact about what a real one leaves undefined.
pub fn emulated(room: Room) -> Result<Cuda, Failure> {
    Ok(Cuda::new(vec![Arc::new(Emulator::new(EMULATED)?)], room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named() {
        assert_eq!("cuda".parse(), Ok(Which::First));
        assert_eq!("cuda:all".parse(), Ok(Which::All));
        assert_eq!("cuda:0,1,0".parse(), Ok(Which::These(vec![0, 1, 0])));
        for wrong in ["cpu", "cuda:", "cuda0", "cuda:a", "cuda:0,", "cuda:-1"] {
            assert!(wrong.parse::<Which>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_machine_without_a_driver_says_so() {
        // Where there is one, it can be opened.
        match open(&Which::These(vec![9_999]), Room::default()) {
            Err(why) => assert!(!why.to_string().is_empty()),
            Ok(_) => panic!("there is no such device"),
        }
    }
}
